import type { JobNeeds, JobOffers } from '../../domain/job-needs.js';
import type { FleetStore } from '../../domain/ports/fleet.js';
import type { BlockedJobs, QueueStats, ServingStore, WaitingKind } from '../../domain/ports/serving.js';
import type { Stores } from '../../domain/ports/stores.js';
import { type Claimant, thisKit } from '../runs/blocked-by.js';
import { ALIVE_MS } from './heartbeat.js';
import { claimantsOf, missingEverywhere } from './missing-everywhere.js';

/** Kinds that are named at once. */
const BLOCKED_LISTED = 100;

/** The fleet of a workspace, for those who look at it. */
export interface FleetReadDeps {
  /**
   * Throws KIT_WORKSPACE_NOT_FOUND, KIT_STORE_*. Makes the store of `storage.fleet` where there is
   * none: only for a workspace that has runs.
   */
  readonly openFleet: (workspace: string) => Promise<FleetStore>;
  /**
   * What this process offers to the runs of a workspace that need this. Throws
   * KIT_WORKSPACE_INVALID.
   */
  readonly offers: (workspace: string, needs: readonly JobNeeds[]) => Promise<JobOffers>;
}

/** The figures of the queue of a workspace that has a store. */
export const queueStatsOf = (
  { openFleet, offers }: FleetReadDeps,
  { workspace, stores }: { readonly workspace: string; readonly stores: Stores },
): Promise<QueueStats> =>
  readQueueStats({
    serving: stores.serving,
    fleet: () => openFleet(workspace),
    // Any process of the machine may go on with a run of a local store; one of PostgreSQL waits for
    // the fleet.
    own: stores.backend === 'sqlite' ? async (needs) => thisKit(await offers(workspace, needs)) : null,
  });

export interface QueueStatsDeps {
  readonly serving: Pick<ServingStore, 'queueStats' | 'waitingKinds' | 'countWaiting'>;
  /**
   * The rows of `storage.fleet`. Throws where they cannot be read: the queue is told of all the
   * same.
   */
  readonly fleet: () => Promise<Pick<FleetStore, 'list'>>;
  /**
   * This process, where it could claim as well: any `kit run` may, beside SQLite. Null: it does not
   * count.
   */
  readonly own: ((needs: readonly JobNeeds[]) => Promise<Claimant>) | null;
}

/** The figures of the queue, and what of it nobody alive can claim. */
export async function readQueueStats(deps: QueueStatsDeps): Promise<QueueStats> {
  const [figures, blocked] = await Promise.all([deps.serving.queueStats(), readBlocked(deps)]);
  return { ...figures, blocked };
}

async function readBlocked(deps: QueueStatsDeps): Promise<readonly BlockedJobs[] | null> {
  const kinds = await deps.serving.waitingKinds();
  if (kinds.length === 0) return [];
  const members = await deps.fleet().then(
    (fleet) => fleet.list(ALIVE_MS),
    () => null,
  );
  if (members === null) return null;
  const claimants = claimantsOf(members);
  const unclaimed = unmet(kinds, claimants);
  // What this process offers is asked for last: it reads the workspace.
  const left =
    unclaimed.length === 0 || deps.own === null
      ? unclaimed
      : unmet(kinds, [...claimants, ...(await ownOrNone(deps.own, kinds))]);
  return countBlocked(deps.serving, left.slice(0, BLOCKED_LISTED));
}

interface Unmet {
  readonly kind: WaitingKind;
  readonly missing: readonly string[];
}

const unmet = (kinds: readonly WaitingKind[], claimants: readonly Claimant[]): readonly Unmet[] =>
  kinds
    .map((kind) => ({ kind, missing: missingEverywhere(kind, claimants) }))
    .filter(({ missing }) => missing.length > 0);

/** A workspace that cannot be opened claims nothing. */
const ownOrNone = (
  own: NonNullable<QueueStatsDeps['own']>,
  kinds: readonly WaitingKind[],
): Promise<readonly Claimant[]> =>
  own(kinds.map(({ needs }) => needs)).then(
    (claimant) => [claimant],
    () => [],
  );

/** Most jobs first. What was claimed meanwhile is left out. */
async function countBlocked(
  serving: QueueStatsDeps['serving'],
  left: readonly Unmet[],
): Promise<readonly BlockedJobs[]> {
  const blocked: BlockedJobs[] = [];
  for (const { kind, missing } of left) {
    const count = await serving.countWaiting(kind);
    if (count !== null) blocked.push({ ...count, engine: kind.engine, jobClass: kind.jobClass, missing });
  }
  return blocked.toSorted((a, b) => b.jobs - a.jobs);
}
