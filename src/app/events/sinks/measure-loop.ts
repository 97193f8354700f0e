import { messageOf } from '../../../domain/errors.js';
import type { Metric } from '../../../domain/ports/metrics.js';
import type { EventSink } from '../../../domain/ports/sinks.js';
import type { Clock, Log } from '../../../domain/ports/system.js';

/** How often a sink that takes figures gets them, where it does not say so itself. */
const DEFAULT_EVERY_MS = 60_000;
/** Time for one attempt, as for an event (docs/design/decisions.md#pushes). */
const ATTEMPT_MS = 10_000;
/** Time for the figures with which a server ends: nobody waits for a receiver that is gone. */
const LAST_MS = 2000;

/** A sink as a person reads of it. */
interface Measured {
  readonly name: string;
  readonly sink: EventSink;
}

export interface MeasureParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly figures: () => Promise<readonly Metric[]>;
}

/**
 * Gives a sink the figures while this server delivers. The next ones come anyway, so that what
 * fails is told once and left.
 */
export async function runMeasures(
  measured: Measured,
  parts: MeasureParts & { readonly isLeading: () => boolean; readonly signal: AbortSignal },
): Promise<void> {
  if (measured.sink.measure === undefined) return;
  let hasFailed = false;
  while (!parts.signal.aborted) {
    await parts.clock.sleep(measured.sink.measureEveryMs ?? DEFAULT_EVERY_MS, parts.signal).catch(() => undefined);
    if (parts.signal.aborted) return;
    if (!parts.isLeading()) continue;
    const detail = await measure(measured, { ...parts, timeMs: ATTEMPT_MS });
    if (detail !== null && !hasFailed && !parts.signal.aborted)
      parts.log.warn(`event sink ${measured.name} did not take the figures: ${detail}`);
    hasFailed = detail !== null;
  }
}

/** The last figures of a server that ends. */
export async function measureLast(measured: Measured, parts: MeasureParts): Promise<void> {
  const detail = await measure(measured, { ...parts, timeMs: LAST_MS });
  if (detail !== null) parts.log.warn(`event sink ${measured.name} did not take the last figures: ${detail}`);
}

/** Null: it took them. */
async function measure(
  { sink }: Measured,
  parts: MeasureParts & { readonly timeMs: number; readonly signal?: AbortSignal },
): Promise<string | null> {
  if (sink.measure === undefined) return null;
  const late = new AbortController();
  const over = new AbortController();
  const signal = AbortSignal.any([late.signal, ...(parts.signal === undefined ? [] : [parts.signal])]);
  const time = parts.clock.sleep(parts.timeMs, AbortSignal.any([over.signal, signal])).then(
    () => {
      late.abort();
      return `it did not answer within ${parts.timeMs / 1000} s`;
    },
    () => 'the server ends',
  );
  const call = (async () => {
    const outcome = await sink.measure?.(await parts.figures(), signal);
    return outcome === undefined || outcome.kind === 'delivered' ? null : outcome.detail;
  })().catch(messageOf);
  try {
    return await Promise.race([call, time]);
  } finally {
    over.abort();
  }
}
