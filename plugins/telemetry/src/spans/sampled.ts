import type { RunTrace } from '@kit-run/kit/plugin';

/** Digits that count: as many as a number holds exactly. */
const DIGITS = 13;

/**
 * Whether the trace of a run is exported. Who began the trace decides; a run that begins one is
 * drawn by its trace id, so that every process says the same of it.
 */
export function isExported(
  { traceId, isSampled, hasParent }: Pick<RunTrace, 'traceId' | 'isSampled' | 'hasParent'>,
  rate: number,
): boolean {
  if (hasParent) return isSampled;
  return Number.parseInt(traceId.slice(-DIGITS), 16) / 16 ** DIGITS < rate;
}
