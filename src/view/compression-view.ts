import type { EventPayloads } from '../domain/generated/events.js';
import { own } from '../lib/own.js';

/**
 * What context compression saved: results that a compressor took, and their bytes before and after.
 */
export interface CompressionSum {
  readonly calls: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** The same of a whole run, with its share of each backend. */
export interface CompressionView extends CompressionSum {
  readonly byBackend: Readonly<Record<string, CompressionSum>>;
}

const NOTHING: CompressionSum = { calls: 0, bytesIn: 0, bytesOut: 0 };

/** A run in which no result was compressed. */
export const NO_COMPRESSION: CompressionView = { ...NOTHING, byBackend: {} };

/** Adds one call; a result that was left as it is counts for nothing. */
export function addCompression(
  view: CompressionView,
  one: EventPayloads['skill.executed']['compression'],
): CompressionView {
  if (one === undefined || one.left !== null) return view;
  const add = (sum: CompressionSum): CompressionSum => ({
    calls: sum.calls + 1,
    bytesIn: sum.bytesIn + one.bytes_in,
    bytesOut: sum.bytesOut + one.bytes_out,
  });
  return {
    ...add(view),
    byBackend: { ...view.byBackend, [one.backend]: add(own(view.byBackend, one.backend) ?? NOTHING) },
  };
}
