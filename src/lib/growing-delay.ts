/** From which pause on, up to which one. */
export interface DelayBounds {
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * How long to wait after so many failures in a row, the first of them 1: twice as long each time,
 * up to a bound. `jitter` (0 up to 1) makes it up to a quarter longer, so that those who failed
 * together do not come back together.
 */
export const growingDelayMs = (failures: number, { firstMs, lastMs }: DelayBounds, jitter = 0): number =>
  Math.min(lastMs, firstMs * 2 ** (failures - 1)) * (1 + jitter / 4);
