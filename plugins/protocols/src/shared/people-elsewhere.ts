import { type Job, pause, type StreamItem } from '@kit-run/kit/command';

/** Pause between looks at a run that has reported a wait, until it lets go of its process. */
const LOOK_MS = 100;
/** A wait that is older is not waited for: lines of the run wait meanwhile. */
const LET_GO_MS = 5_000;

/** One event of a run in words. */
type Line = Extract<StreamItem, { kind: 'line' }>;

/**
 * Where a run rests that waits for an agent elsewhere: in the store, where any process takes it up
 * again, or in the process that began it.
 */
export type Rests = 'store' | 'process';

/** Waits for a limit or for an agent that works are not a wait for people. */
export const asksPeopleElsewhere = ({ event }: Line): boolean =>
  event.type === 'step.waiting' && (event.payload.gate_url ?? null) !== null;

/**
 * Whether it is worth asking where people decide. A run that waits for an agent elsewhere keeps
 * its state; one that rests in the store has no process then.
 */
export const mayWaitForPeople = ({ status, workerId }: Pick<Job, 'status' | 'workerId'>, rests: Rests): boolean =>
  status === 'deferred' || (status === 'running' && (rests === 'process' || workerId === null));

/**
 * The run once it has let go of its process, which it does a moment after it reported a wait, if
 * nothing else works. Given as it is where it does not.
 */
export async function letGo(
  read: () => Promise<Job>,
  { timestamp }: Pick<Line, 'timestamp'>,
  signal: AbortSignal,
): Promise<Job> {
  const untilMs = Math.min(Date.now(), Date.parse(timestamp)) + LET_GO_MS;
  let job = await read();
  while (job.status === 'running' && job.workerId !== null && Date.now() < untilMs && !signal.aborted) {
    await pause(LOOK_MS, signal);
    job = await read();
  }
  return job;
}
