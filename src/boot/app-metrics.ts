import type { App } from '../app/app.js';
import { createMetricsApp } from '../app/serve/create-metrics-app.js';
import type { MetricSource, MetricsApp } from '../app/serve/metrics-app.js';
import type { ServeApp } from '../app/serve/serve-app.js';
import { createClock } from '../system/clock.js';
import type { AppParts, Runs } from './parts.js';
import { openServerLog } from './server-log.js';

/** The use cases that are asked for figures. */
type ScrapedApps = Pick<App, 'jobs' | 'fleet'>;

/**
 * Wires the numbers of `/metrics`: what the store counts, the queue, the fleet, and the slots of
 * this server.
 */
export function createMetrics(
  parts: AppParts & {
    readonly runs: Runs;
    readonly serve: () => Pick<ServeApp, 'load' | 'role'>;
    readonly app: () => ScrapedApps;
  },
): MetricsApp {
  const sources = () => import('../app/serve/serving-metrics.js');
  const queueSources = () => import('../app/serve/queue-metrics.js');
  const { jobs, fleet } = parts.app();
  const openStores = async (workspace: string) => (await parts.runs.observe()).openStores(workspace);
  const { now } = createClock();
  let store: MetricSource | undefined;
  return createMetricsApp(
    [
      {
        name: 'store',
        source: async (workspace) => {
          const { storeMetrics } = await sources();
          store ??= storeMetrics({ openStores, now });
          return store(workspace);
        },
      },
      {
        name: 'queue',
        source: async (asked) =>
          (await queueSources()).queueMetrics((workspace) => jobs.queueStats({ workspace }))(asked),
      },
      {
        name: 'fleet',
        source: async (asked) =>
          (await queueSources()).fleetMetrics((workspace) => fleet.members({ workspace }))(asked),
      },
      { name: 'slots', source: async (workspace) => (await sources()).slotMetrics(parts.serve())(workspace) },
    ],
    (source, error) =>
      void openServerLog(parts).then((log) => log.warn('a source of metrics failed', { source, error })),
  );
}
