import { Cron } from 'croner';
import { openZone } from './zone.js';

const SECOND_MS = 1000;
/**
 * The pattern of a leap day comes again within eight years; nothing that comes at all takes longer.
 */
const HORIZON_MS = 9 * 366 * 24 * 3600 * SECOND_MS;
/** Seconds of the longest time that a clock was put back by (a day), with room. */
const MAX_SKIPS = 100_000;

/** When a schedule comes next. Pure: it is asked with a time and reads none. */
export interface Schedule {
  /** The first instant after this one, in milliseconds since the epoch; null = never again. */
  after(instantMs: number): number | null;
}

/**
 * A cron expression of 5 fields (minute first) or 6 (second first) on the wall clock of a zone. A
 * time that the clock jumps over in spring comes once, at the first instant after the gap; a time
 * that it shows twice in autumn comes the first time alone. An expression whose hour is `*` follows
 * time as it passes instead: every hour that was lived comes, none that was not.
 *
 * Throws an Error with a sentence for an expression or a zone that is none.
 */
export function openSchedule(expression: string, timezone: string): Schedule {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6)
    throw new Error(`a cron expression has 5 or 6 fields, this one has ${fields.length}`);
  const pattern = fields.join(' ');
  const zone = openZone(timezone);
  const cron = new Cron(pattern, { paused: true, timezone });
  const onTheWall = new Cron(pattern, { paused: true, timezone: 'UTC' });
  const isHourly = fields.at(-4) === '*';

  const isWanted = (instantMs: number): boolean =>
    cron.match(new Date(instantMs)) && (isHourly || !zone.isRepeated(instantMs));
  const regular = (instantMs: number): number | null => {
    let found = cron.nextRun(new Date(instantMs));
    for (let skipped = 0; found !== null && !isWanted(found.getTime()) && skipped < MAX_SKIPS; skipped += 1)
      found = cron.nextRun(found);
    return found?.getTime() ?? null;
  };
  const isSkipped = (fromWallMs: number, toWallMs: number): boolean => {
    const next = onTheWall.nextRun(new Date(fromWallMs - SECOND_MS));
    return next !== null && next.getTime() < toWallMs;
  };
  return {
    after: (instantMs) => {
      const next = regular(instantMs);
      if (isHourly) return next;
      for (const gap of zone.gaps(instantMs, next ?? instantMs + HORIZON_MS))
        if (isSkipped(gap.fromWallMs, gap.toWallMs)) return gap.instantMs;
      return next;
    },
  };
}
