const DAY_MS = 24 * 3600 * 1000;
const SECOND_MS = 1000;

/**
 * The wall clock of one IANA zone, as far as daylight saving is concerned. Instants are
 * milliseconds since the epoch.
 */
export interface Zone {
  /**
   * The instants at which the wall clock is put forward in (after, until], in order; each with what
   * it skips.
   */
  gaps(afterMs: number, untilMs: number): Iterable<Gap>;
  /** True when the wall clock has shown this time before: it was put back meanwhile. */
  isRepeated(instantMs: number): boolean;
}

/**
 * Wall times in [fromWallMs, toWallMs) do not exist; `instantMs` is the first instant after them.
 */
export interface Gap {
  readonly instantMs: number;
  readonly fromWallMs: number;
  readonly toWallMs: number;
}

/** Throws RangeError for a zone that the runtime does not know. */
export function openZone(timezone: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const wallOf = (instantMs: number): number => {
    const parts = Object.fromEntries(format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  const offsetOf = (instantMs: number): number => wallOf(instantMs) - Math.floor(instantMs / SECOND_MS) * SECOND_MS;
  /**
   * The first whole second of (low, high] with the offset of `high`; the offset changes once
   * between them.
   */
  const changeBetween = (lowMs: number, highMs: number): number => {
    const after = offsetOf(highMs);
    let [low, high] = [Math.floor(lowMs / SECOND_MS), Math.floor(highMs / SECOND_MS)];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetOf(middle * SECOND_MS) === after) high = middle;
      else low = middle;
    }
    return high * SECOND_MS;
  };
  return {
    gaps: function* (afterMs, untilMs) {
      // No zone has ever changed twice within a day, and one change undoes no other within it.
      for (let startMs = afterMs; startMs < untilMs; startMs += DAY_MS) {
        const endMs = Math.min(startMs + DAY_MS, untilMs);
        const [before, after] = [offsetOf(startMs), offsetOf(endMs)];
        if (after <= before) continue;
        const instantMs = changeBetween(startMs, endMs);
        if (instantMs > afterMs) yield { instantMs, fromWallMs: instantMs + before, toWallMs: instantMs + after };
      }
    },
    isRepeated: (instantMs) => {
      const [before, now] = [offsetOf(instantMs - DAY_MS), offsetOf(instantMs)];
      return before > now && offsetOf(instantMs - (before - now)) === before;
    },
  };
}
