import type { Fence } from '../domain/job.js';
import type { JobStore } from '../domain/ports/stores.js';
import type { Clock, Log } from '../domain/ports/system.js';
import { LeaseKeeper } from './lease-keeper.js';

/** A stop that another process asked for is seen within this time. */
const LOOK_MS = 1_000;

interface RestDeps {
  readonly jobs: JobStore;
  readonly fence: Fence;
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly onLost: () => void;
  /** Ends the rest: the scope of the claim, which a lost lease aborts too. */
  readonly signal: AbortSignal;
  readonly drain: AbortSignal | undefined;
}

/**
 * Waits until a provider may be up again, in the process that began the run and with its lease:
 * nobody else goes on with it, and when the process dies, the next look finds that. Returns early
 * when a stop was asked for; never rejects. Resolves with a time at which the lease, as it was last
 * renewed, had not begun yet.
 */
export async function restOut(
  deps: RestDeps,
  of: { readonly waitMs: number; readonly leaseAtMs: number },
): Promise<number> {
  const { clock, jobs, fence, signal } = deps;
  const keeper = new LeaseKeeper({ ...deps, isResting: true }, { atMs: of.leaseAtMs, executedMs: 0 });
  keeper.start();
  const dueMs = clock.now() + of.waitMs;
  const isOver = async (): Promise<boolean> =>
    signal.aborted ||
    deps.drain?.aborted === true ||
    clock.now() >= dueMs ||
    // What the store cannot say now, the next look or the heartbeat will.
    (await jobs.isStopRequested(fence.jobId).catch(() => false));
  while (!(await isOver())) await clock.sleep(Math.min(LOOK_MS, dueMs - clock.now()), signal).catch(() => undefined);
  await keeper.stop();
  await keeper.lastBeat();
  return keeper.renewedAt();
}
