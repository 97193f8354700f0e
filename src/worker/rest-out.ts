import type { StepRow } from '../domain/journal.js';
import type { RemoteTasks } from '../domain/ports/remote-agents.js';
import { onwardTime } from '../domain/ports/system.js';
import type { Wait } from '../domain/wait.js';
import { LeaseKeeper, type LeaseKeeperDeps } from './lease-keeper.js';
import { StopLook } from './stop-look.js';

/** A machine that sleeps stops timers and no clock: how late the end of a rest may be seen. */
const LOOK_MS = 1_000;
/** Longer than any rest. */
const REST_MS = 24 * 60 * 60_000;

interface RestDeps extends Omit<LeaseKeeperDeps, 'isResting'> {
  /** Ends the rest: the scope of the claim, which a lost lease aborts too. */
  readonly signal: AbortSignal;
  readonly drain: AbortSignal | undefined;
  /** As in RunJobOptions. */
  readonly stop: AbortSignal | undefined;
}

/** What a rest is for. */
interface Rest {
  readonly waitMs: number;
  readonly leaseAtMs: number;
  readonly waits: readonly Wait[];
  readonly rows: Iterable<StepRow>;
  readonly remoteTasks: RemoteTasks | undefined;
}

/**
 * Waits until a provider may be up again, or a task elsewhere has moved, in the process that began
 * the run and with its lease: nobody else goes on with it, and when the process dies, the next look
 * finds that. Returns early when a stop was asked for; never rejects. Resolves with a time at which
 * the lease, as it was last renewed, had not begun yet.
 */
export async function restOut(deps: RestDeps, of: Rest): Promise<number> {
  const { clock, jobs, fence, signal } = deps;
  const keeper = new LeaseKeeper({ ...deps, isResting: true }, { atMs: of.leaseAtMs, executedMs: 0 });
  keeper.start();
  const time = onwardTime(clock);
  const look = new StopLook(deps, () => jobs.isStopRequested(fence.jobId));
  const unwatch = look.watch();
  const ended = new AbortController();
  const over = AbortSignal.any([signal, look.signal, ended.signal, ...(deps.drain === undefined ? [] : [deps.drain])]);
  const watching = moved(deps, of, over).then(() => ended.abort('moved'));
  while (!over.aborted && time() < of.waitMs)
    await clock.sleep(Math.min(LOOK_MS, of.waitMs - time()), over).catch(() => undefined);
  ended.abort('over');
  await watching;
  unwatch();
  await keeper.stop();
  await keeper.lastBeat();
  return keeper.renewedAt();
}

/** Resolves when a task elsewhere has moved, or the rest is over. */
async function moved({ clock }: RestDeps, { waits, rows, remoteTasks }: Rest, over: AbortSignal): Promise<void> {
  const isElsewhere = waits.some(({ remote }) => remote !== undefined);
  if (remoteTasks === undefined || !isElsewhere) return clock.sleep(REST_MS, over).catch(() => undefined);
  const { anyMoved } = await import('./remote/any-moved.js');
  await anyMoved({ clock }, remoteTasks, { waits, rows })(over);
}
