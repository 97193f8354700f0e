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

/**
 * How many milliseconds the store's clock is ahead of this process's (negative: behind). 0 where
 * the time of the claim lies between the two moments, since nothing says that the clocks differ;
 * else the least that they differ by. What is recorded is told by the store's clock, which all
 * processes share: a process whose clock is wrong writes no step that ends before it began.
 * `claimedAt`: by the store's clock, null = not reported; the others by that of this process.
 */
export function storeAheadMs(
  claimedAt: string | null,
  { askedAtMs, answeredAtMs }: { readonly askedAtMs: number; readonly answeredAtMs: number },
): number {
  const claimedAtMs = claimedAt === null ? Number.NaN : Date.parse(claimedAt);
  if (claimedAtMs > answeredAtMs) return claimedAtMs - answeredAtMs;
  // The store's time is told in whole milliseconds.
  return claimedAtMs < askedAtMs - 1 ? claimedAtMs - askedAtMs : 0;
}
