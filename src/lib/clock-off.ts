/** From here on whoever compares times of two machines by eye is misled. */
export const CLOCK_OFF_MS = 2_000;

/**
 * Null = the two agree well enough for people. `aheadMs`: how far the store's clock is ahead of
 * this machine's; negative: behind.
 */
export const clockWarning = (aheadMs: number): string | null =>
  Math.abs(aheadMs) < CLOCK_OFF_MS
    ? null
    : `the clock of this machine is ${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the store's; times are told by the store's`;
