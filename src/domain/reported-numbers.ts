/**
 * Numbers that programs outside report of themselves: what no call can have used is not known, for
 * a sum that holds it would say nothing any more. The bounds are far above any real call: a
 * trillion tokens, a million USD.
 */
const MAX_COUNT = 1e12;
const MAX_USD = 1e6;

/** Tokens, or another count: a whole number from 0 on. */
export const isReportedCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_COUNT;

/** A cost in USD, from 0 on. */
export const isReportedUsd = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= MAX_USD;
