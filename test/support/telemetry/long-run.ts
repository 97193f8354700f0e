import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RunSource } from '../../../src/app/events/sinks/sink-run.js';
import type { StoredEvent } from '../../../src/domain/events.js';
import { jobOf } from '../view-samples.js';

/**
 * A log that makes the events of one run as they are asked for, and knows which of them somebody
 * still holds.
 */
export interface LongRun {
  readonly source: RunSource;
  /** The event with which the run ended. */
  readonly last: StoredEvent;
  /** Reads of any kind. */
  reads(): number;
  /** The most events that were reachable when a page was asked for. */
  mostHeld(): number;
}

/** `make`: the event with a number, from 1 to `count`, which must be the one that ends the run. */
export function longRun(count: number, make: (seq: number) => StoredEvent): LongRun {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let handed: WeakRef<StoredEvent>[] = [];
  let reads = 0;
  let most = 0;
  const look = async (): Promise<void> => {
    // A reference that was made in this turn counts as held until the turn is over.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    handed = handed.filter((ref) => ref.deref() !== undefined);
    most = Math.max(most, handed.length);
  };
  const last = make(count);
  return {
    last,
    reads: () => reads,
    mostHeld: () => most,
    source: {
      jobs: {
        get: async () => jobOf({ status: 'completed', startedAt: make(1).timestamp, claimedAt: make(1).timestamp }),
      },
      events: {
        read: async () => {
          reads += 1;
          return { events: [{ ...last, cursor: 'end' }], nextCursor: 'end', hasMore: false };
        },
        readRun: async (_job, afterSeq, limit) => {
          reads += 1;
          await look();
          const page = Array.from({ length: Math.min(limit, count - afterSeq) }, (_, index) =>
            make(afterSeq + index + 1),
          );
          handed.push(...page.map((event) => new WeakRef(event)));
          return page;
        },
      },
    },
  };
}
