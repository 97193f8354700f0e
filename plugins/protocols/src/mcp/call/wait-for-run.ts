import type { Job, StreamItem } from '@kit-run/kit/command';
import type { Door, FoundJob } from '../door.js';

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

const isUnderWay = ({ status }: Job): boolean => status === 'pending' || status === 'queued' || status === 'running';

/**
 * Waits until a run has ended or waits for people, at most so long. Gives the run as it is then.
 * The wait is of the caller alone: its end changes nothing about the run.
 */
export async function waitForRun(door: Pick<Door, 'follow' | 'find'>, wait: WaitFor): Promise<FoundJob> {
  const { of, waitMs, signal, onLine } = wait;
  if (waitMs > 0 && isUnderWay(of.job) && !signal.aborted) {
    const end = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    await readToEnd(await door.follow(of, end), onLine);
  }
  return door.find(of.job.id);
}

async function readToEnd(items: AsyncIterable<StreamItem>, onLine: WaitFor['onLine']): Promise<void> {
  for await (const item of items) {
    if (item.kind === 'end') return;
    await onLine?.({ seq: item.seq, text: item.text });
  }
}
