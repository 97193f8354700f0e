import { messageOf } from '../../../domain/errors.js';
import type { LogEntry } from '../../../domain/log-entry.js';
import type { SinkOutcome } from '../../../domain/ports/sinks.js';
import type { Clock } from '../../../domain/ports/system.js';

/**
 * Pauses after the first and the second failed attempt; there are three in all
 * (docs/design/decisions.md#pushes).
 */
const PAUSES_MS: readonly number[] = [500, 2000];
/** Time for one attempt (docs/design/decisions.md#pushes). */
const ATTEMPT_MS = 10_000;
/**
 * A pause is longer by up to this share, so that sinks that failed together do not come back
 * together.
 */
const JITTER = 0.25;

export interface DeliveryParts {
  readonly clock: Clock;
  /** 0 up to 1. */
  readonly random: () => number;
  /** Aborts when delivery is stopped. */
  readonly signal: AbortSignal;
}

/** What became of one event at one sink. `stopped`: the server ends, nobody knows. */
export type Delivered =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'rejected' | 'failed'; readonly detail: string; readonly attempts: number }
  | { readonly kind: 'stopped' };

/** A sink that knows whose event it is given. */
export interface Receiver {
  deliver(entry: LogEntry, signal: AbortSignal): Promise<SinkOutcome>;
}

/**
 * Tries one event at one sink: what it rejects is final, what fails is tried again. Never rejects.
 */
export async function deliverEntry(sink: Receiver, entry: LogEntry, parts: DeliveryParts): Promise<Delivered> {
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await attempt(sink, entry, parts);
    if (parts.signal.aborted) return { kind: 'stopped' };
    if (outcome.kind === 'delivered') return outcome;
    const pauseMs = PAUSES_MS[attempts - 1];
    if (outcome.kind === 'rejected' || pauseMs === undefined) return { ...outcome, attempts };
    await parts.clock.sleep(pauseMs * (1 + JITTER * parts.random()), parts.signal).catch(() => undefined);
    if (parts.signal.aborted) return { kind: 'stopped' };
  }
}

/** One call, which ends with its time or with the server even where the sink does not. */
async function attempt(sink: Receiver, entry: LogEntry, { clock, signal }: DeliveryParts): Promise<SinkOutcome> {
  const tooLate = new AbortController();
  const over = new AbortController();
  const time = clock.sleep(ATTEMPT_MS, AbortSignal.any([signal, over.signal])).then(
    (): SinkOutcome => {
      tooLate.abort();
      return { kind: 'failed', detail: `it did not answer within ${ATTEMPT_MS / 1000} s` };
    },
    (): SinkOutcome => ({ kind: 'failed', detail: 'the server ends' }),
  );
  const call = (async () => sink.deliver(entry, AbortSignal.any([signal, tooLate.signal])))().catch(
    (error: unknown): SinkOutcome => ({
      kind: 'failed',
      detail: messageOf(error),
    }),
  );
  try {
    return await Promise.race([call, time]);
  } finally {
    over.abort();
  }
}
