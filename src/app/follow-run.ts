import type { StoredEvent } from '../domain/events.js';
import { isParked, isTerminal } from '../domain/job.js';
import type { Stores } from '../domain/ports/stores.js';

/** Longest wait between two looks at the log; a change in the store wakes the follower earlier. */
const POLL_MS = 1000;
const PAGE = 500;

/**
 * The events of one run: those in the log, then the new ones as they are committed, until the run
 * has ended or parked. The one stream behind every view (docs/design/decisions.md#one-way).
 * `afterSeq` resumes where an earlier stream was cut.
 */
export async function* followRun(
  stores: Pick<Stores, 'events' | 'jobs'>,
  follow: {
    readonly jobId: string;
    readonly afterSeq: number;
    readonly signal: AbortSignal;
    /** Ends at what the log holds now instead of waiting for more. */
    readonly onlyUntilNow?: boolean;
  },
): AsyncGenerator<StoredEvent> {
  let seq = follow.afterSeq;
  while (!follow.signal.aborted) {
    // The status is read before the page: what was committed before it ended is then certainly in
    // the page.
    const job = await stores.jobs.get(follow.jobId);
    const page = await stores.events.readRun(follow.jobId, seq, PAGE);
    for (const event of page) {
      yield event;
      seq = event.seq;
    }
    if (page.length > 0) continue;
    if (follow.onlyUntilNow === true || job === null || isTerminal(job.status) || isParked(job.status)) return;
    await stores.events.waitForChange(POLL_MS, follow.signal);
  }
}
