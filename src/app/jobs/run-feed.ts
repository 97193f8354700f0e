import type { StoredEvent } from '../../domain/events.js';
import type { Stores } from '../../domain/ports/stores.js';
import { onAbort } from '../../lib/on-abort.js';
import { followRun } from '../follow-run.js';

/**
 * Events that are kept for readers who are at the end of the log; who is further behind reads the
 * log itself.
 */
const KEPT = 256;
const PAGE = 200;

/** One follower of the log of one run, for any number of readers. */
interface Feed {
  /** Newest events, dense by `seq`. */
  kept: readonly StoredEvent[];
  /** Events up to this one have been seen. */
  lastSeq: number;
  readers: number;
  /** Set when the run has ended or parked, or could not be followed. */
  end: { readonly error: unknown } | null;
  /** Readers that have everything: called with the next event, or the end. */
  waiting: Set<() => void>;
  readonly stop: AbortController;
}

/**
 * Follows runs once each, however many look at them: a thousand streams of a run ask the store as
 * often as one.
 */
export class RunFeeds {
  readonly #stores: Pick<Stores, 'events' | 'jobs'>;
  readonly #feeds = new Map<string, Feed>();

  constructor(stores: Pick<Stores, 'events' | 'jobs'>) {
    this.#stores = stores;
  }

  /** Runs that are followed now. */
  get size(): number {
    return this.#feeds.size;
  }

  /**
   * The same events in the same order as `followRun`, with one follower for all readers of a run.
   */
  async *read(jobId: string, afterSeq: number, signal: AbortSignal): AsyncGenerator<StoredEvent> {
    const feed = this.#join(jobId, afterSeq);
    try {
      let seq = afterSeq;
      while (!signal.aborted) {
        const events = await this.#after(feed, jobId, seq);
        for (const event of events) {
          yield event;
          seq = event.seq;
          if (signal.aborted) return;
        }
        if (events.length > 0 || seq < feed.lastSeq) continue;
        if (feed.end !== null) {
          if (feed.end.error !== null) throw feed.end.error;
          return;
        }
        await changed(feed, signal);
      }
    } finally {
      feed.readers -= 1;
      if (feed.readers === 0) this.#drop(feed, jobId);
    }
  }

  #join(jobId: string, afterSeq: number): Feed {
    const known = this.#feeds.get(jobId);
    const feed = known ?? this.#follow(jobId, afterSeq);
    feed.readers += 1;
    return feed;
  }

  #follow(jobId: string, afterSeq: number): Feed {
    const feed: Feed = {
      kept: [],
      lastSeq: afterSeq,
      readers: 0,
      end: null,
      waiting: new Set(),
      stop: new AbortController(),
    };
    this.#feeds.set(jobId, feed);
    void this.#pump(feed, jobId);
    return feed;
  }

  async #pump(feed: Feed, jobId: string): Promise<void> {
    let error: unknown = null;
    try {
      for await (const event of followRun(this.#stores, { jobId, afterSeq: feed.lastSeq, signal: feed.stop.signal })) {
        feed.kept = [...feed.kept.slice(1 - KEPT), event];
        feed.lastSeq = event.seq;
        wake(feed);
      }
    } catch (thrown) {
      error = thrown;
    }
    // Who asks from now on looks anew: the run may have been resumed.
    this.#drop(feed, jobId);
    feed.end = { error };
    wake(feed);
  }

  #drop(feed: Feed, jobId: string): void {
    if (this.#feeds.get(jobId) === feed) this.#feeds.delete(jobId);
    feed.stop.abort('nobody looks');
  }

  /**
   * What comes after `seq`, as far as it is known: from what is kept, else from the log. [] = the
   * reader has everything.
   */
  async #after(feed: Feed, jobId: string, seq: number): Promise<readonly StoredEvent[]> {
    if (seq >= feed.lastSeq) return [];
    const first = feed.kept[0];
    if (first !== undefined && first.seq <= seq + 1) return feed.kept.slice(seq + 1 - first.seq);
    const page = await this.#stores.events.readRun(jobId, seq, PAGE);
    return page;
  }
}

function wake(feed: Feed): void {
  const { waiting } = feed;
  feed.waiting = new Set();
  for (const call of waiting) call();
}

/** Nothing is awaited between the look at the feed and this: no change is missed. */
async function changed(feed: Feed, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  feed.waiting.add(resolve);
  const unsubscribe = onAbort(signal, resolve);
  await promise;
  unsubscribe();
  feed.waiting.delete(resolve);
}
