import type { SeenMember } from '../../domain/ports/fleet.js';
import type { QueueStats } from '../../domain/ports/serving.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock } from '../../domain/ports/system.js';
import { CLOCK_OFF_MS } from '../../lib/clock-off.js';
import type { RunningRun, Some, WaitingItem } from '../../view/fleet-overview.js';
import { EMPTY_RUN } from '../../view/run-view.js';
import type { FleetApp } from './fleet-app.js';
import { ALIVE_MS } from './heartbeat.js';
import type { FleetReadDeps } from './queue-stats.js';
import { RunViews } from './run-views.js';

/** Real parts behind the use cases. */
export interface FleetDeps extends Pick<FleetReadDeps, 'openFleet'> {
  readonly clock: Pick<Clock, 'now'>;
  /**
   * Opens the store of a workspace without reading its artifacts; null when it has none yet. Throws
   * KIT_WORKSPACE_NOT_FOUND.
   */
  readonly openStores: (workspace: string) => Promise<Stores | null>;
  readonly queueStats: (ask: { readonly workspace: string }) => Promise<QueueStats>;
}

/** Looking at a fleet, over parts that `boot` hands in. */
export function createFleetApp(deps: FleetDeps): FleetApp {
  const views = new Map<string, RunViews>();
  const viewsOf = (workspace: string): RunViews => {
    const known = views.get(workspace) ?? new RunViews();
    views.set(workspace, known);
    return known;
  };
  const listOf = async (workspace: string): Promise<readonly SeenMember[]> =>
    (await deps.openFleet(workspace)).list(ALIVE_MS);
  return {
    // Looking makes no store where there is none.
    members: async ({ workspace }) => ((await deps.openStores(workspace)) === null ? [] : listOf(workspace)),
    overview: async ({ workspace, limit }) => {
      const stores = await deps.openStores(workspace);
      const atOf = (now: number): string => new Date(now).toISOString();
      const queue = await deps.queueStats({ workspace });
      if (stores === null)
        return { at: atOf(deps.clock.now()), storeAheadMs: 0, queue, members: NONE, runs: NONE, waiting: NONE };
      const all = await listOf(workspace).catch(() => null);
      const aheadMs = aheadOf(all ?? [], deps.clock.now());
      const now = deps.clock.now() + aheadMs;
      const members = all === null ? null : { rows: all.slice(0, limit), total: all.length };
      const [runs, waiting] = await Promise.all([
        readRuns({ stores, views: viewsOf(workspace), limit, now }),
        readWaiting(stores, { limit, now }),
      ]);
      const some = { rows: runs, total: Math.max(runs.length, queue.running) };
      return { at: atOf(now), storeAheadMs: aheadMs, queue, members, runs: some, waiting };
    },
  };
}

const NONE = { rows: [], total: 0 } as const;

/** What a row tells of its beat gives the store's clock at the moment of the list. */
function aheadOf([member]: readonly SeenMember[], now: number): number {
  if (member === undefined) return 0;
  const aheadMs = Date.parse(member.beatAt) + member.silentMs - now;
  // Less than that may be the time that the list took.
  return Math.abs(aheadMs) < CLOCK_OFF_MS ? 0 : aheadMs;
}

async function readRuns(of: {
  readonly stores: Stores;
  readonly views: RunViews;
  readonly limit: number;
  /** By the store's clock. */
  readonly now: number;
}): Promise<readonly RunningRun[]> {
  const jobs = await of.stores.jobs.list({ status: ['running'], limit: of.limit });
  const views = await of.views.of(of.stores.events, jobs);
  return jobs.map((job) => ({
    job,
    view: views.get(job.id) ?? EMPTY_RUN,
    elapsedMs: Math.max(0, of.now - Date.parse(job.startedAt ?? job.createdAt)),
  }));
}

async function readWaiting(
  { reviews }: Stores,
  { limit, now }: { readonly limit: number; readonly now: number },
): Promise<Some<WaitingItem>> {
  const { items, total } = await reviews.items({ show: 'pending', limit });
  const rows = items.map(({ id, gateId, role, kind, jobId, topologyId, createdAt }) => ({
    id,
    gateId,
    role,
    kind,
    jobId,
    topology: topologyId,
    ageMs: Math.max(0, now - Date.parse(createdAt)),
  }));
  return { rows, total };
}
