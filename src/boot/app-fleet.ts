import type { App } from '../app/app.js';
import { createFleetApp } from '../app/fleet/create-fleet-app.js';
import type { FleetApp } from '../app/fleet/fleet-app.js';
import type { Runs } from './parts.js';

/** Wires the look at a fleet; the figures of the queue are those of `kit queue-stats`. */
export async function openFleet(runs: Runs, app: () => Pick<App, 'jobs'>): Promise<FleetApp> {
  return createFleetApp({ ...(await runs.observe()), queueStats: (ask) => app().jobs.queueStats(ask) });
}
