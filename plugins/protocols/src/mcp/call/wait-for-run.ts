import type { Job, StreamItem } from '@kit-run/kit/command';
import { asksPeopleElsewhere, letGo } from '../../shared/people-elsewhere.js';
import type { Backend, FoundJob } from '../backend.js';

/** One event of a run, for whoever watches a call. */
export interface ProgressLine {
  /** Rises from event to event. */
  readonly seq: number;
  readonly text: string;
}

export interface WaitFor {
  readonly of: FoundJob;
  /** 0 = not at all. */
  readonly waitMs: number;
  /** Ends the wait: nobody reads the answer any more, or the call was cancelled. */
  readonly signal: AbortSignal;
  /** Null: nobody watches. */
  readonly onLine: ((line: ProgressLine) => Promise<void>) | null;
}

/** What of a backend a wait needs. */
type WaitBackend = Pick<Backend, 'follow' | 'find' | 'gateUrl' | 'rests'>;

const isUnderWay = ({ status }: Job): boolean => status === 'pending' || status === 'queued' || status === 'running';

/**
 * Waits until a run has ended or waits for people, at most so long. Gives the run as it is then.
 * The wait is of the caller alone: its end changes nothing about the run.
 */
export async function waitForRun(backend: WaitBackend, wait: WaitFor): Promise<FoundJob> {
  const { of, waitMs, signal } = wait;
  if (waitMs > 0 && isUnderWay(of.job) && !signal.aborted) {
    const end = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    await readToEnd(backend, await backend.follow(of, end), { ...wait, signal: end });
  }
  return backend.find(of.job.id);
}

async function readToEnd(
  backend: WaitBackend,
  items: AsyncIterable<StreamItem>,
  { of, signal, onLine }: WaitFor,
): Promise<void> {
  for await (const item of items) {
    if (item.kind === 'end') return;
    await onLine?.({ seq: item.seq, text: item.text });
    // An agent that it asked waits for people now: so does whoever asked for this run.
    if (asksPeopleElsewhere(item) && (await isForPeople(backend, of, { item, signal }))) return;
  }
}

async function isForPeople(
  backend: WaitBackend,
  { job: { id }, workspace }: FoundJob,
  { item, signal }: { readonly item: { readonly timestamp: string }; readonly signal: AbortSignal },
): Promise<boolean> {
  const read = async (): Promise<Job> => (await backend.find(id)).job;
  const job = backend.rests === 'store' ? await letGo(read, item, signal) : await read();
  return (await backend.gateUrl({ job, workspace })) !== null;
}
