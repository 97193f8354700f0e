import { describe, expect, it } from 'vitest';
import { openSchedule } from '../../../plugins/triggers/src/cron/next-instant.js';

interface Row {
  readonly what: string;
  readonly expression: string;
  readonly zone: string;
  readonly from: string;
  /** The instants that follow, in order; null = it never comes again. */
  readonly next: readonly (string | null)[];
}

const SPRING_BERLIN = '2026-03-28T12:00:00Z';
const AUTUMN_BERLIN = '2026-10-24T12:00:00Z';

const ROWS: readonly Row[] = [
  // In Berlin 2026-03-29 02:00 becomes 03:00 (01:00Z), and 2026-10-25 03:00 becomes 02:00 (01:00Z).
  {
    what: 'a time inside the gap comes at the first instant after it',
    expression: '30 2 * * *',
    zone: 'Europe/Berlin',
    from: SPRING_BERLIN,
    next: ['2026-03-29T01:00Z', '2026-03-30T00:30Z'],
  },
  {
    what: 'the first minute of the gap is inside it',
    expression: '0 2 * * *',
    zone: 'Europe/Berlin',
    from: SPRING_BERLIN,
    next: ['2026-03-29T01:00Z', '2026-03-30T00:00Z'],
  },
  {
    what: 'several times inside the gap come once',
    expression: '0,20,40 2 * * *',
    zone: 'Europe/Berlin',
    from: SPRING_BERLIN,
    next: ['2026-03-29T01:00Z', '2026-03-30T00:00Z', '2026-03-30T00:20Z'],
  },
  {
    what: 'the last minute before the gap and the first after it are times as any',
    expression: '59 1 * * *',
    zone: 'Europe/Berlin',
    from: SPRING_BERLIN,
    next: ['2026-03-29T00:59Z', '2026-03-29T23:59Z'],
  },
  {
    what: 'a time in the gap and one right after it are one instant',
    expression: '0 2,3 * * *',
    zone: 'Europe/Berlin',
    from: SPRING_BERLIN,
    next: ['2026-03-29T01:00Z', '2026-03-30T00:00Z', '2026-03-30T01:00Z'],
  },
  {
    what: 'a yearly time that falls into a gap is not lost',
    expression: '0,30 2 29 3 *',
    zone: 'Europe/Berlin',
    from: '2026-01-01T00:00:00Z',
    next: ['2026-03-29T01:00Z', '2027-03-29T00:00Z', '2027-03-29T00:30Z'],
  },
  {
    what: 'a weekly time on the Sunday of the gap comes once',
    expression: '30 2 * * 0',
    zone: 'Europe/Berlin',
    from: SPRING_BERLIN,
    next: ['2026-03-29T01:00Z', '2026-04-05T00:30Z'],
  },
  {
    what: 'a repeated time comes the first time alone',
    expression: '30 2 * * *',
    zone: 'Europe/Berlin',
    from: AUTUMN_BERLIN,
    next: ['2026-10-25T00:30Z', '2026-10-26T01:30Z'],
  },
  {
    what: 'several repeated times come once each',
    expression: '0,59 2 * * *',
    zone: 'Europe/Berlin',
    from: AUTUMN_BERLIN,
    next: ['2026-10-25T00:00Z', '2026-10-25T00:59Z', '2026-10-26T01:00Z'],
  },
  {
    what: 'asked between the two, a repeated time has been',
    expression: '30 2 * * *',
    zone: 'Europe/Berlin',
    from: '2026-10-25T00:45:00Z',
    next: ['2026-10-26T01:30Z'],
  },
  {
    what: 'seconds of a repeated minute come once each',
    expression: '0,30 59 2 * * *',
    zone: 'Europe/Berlin',
    from: AUTUMN_BERLIN,
    next: ['2026-10-25T00:59Z', '2026-10-25T00:59:30Z', '2026-10-26T01:59Z'],
  },
  {
    what: 'every half hour follows time as it passes in spring',
    expression: '*/30 * * * *',
    zone: 'Europe/Berlin',
    from: '2026-03-29T00:10:00Z',
    next: ['2026-03-29T00:30Z', '2026-03-29T01:00Z', '2026-03-29T01:30Z'],
  },
  {
    what: 'every hour follows time as it passes in autumn',
    expression: '30 * * * *',
    zone: 'Europe/Berlin',
    from: '2026-10-24T23:45:00Z',
    next: ['2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-25T02:30Z'],
  },
  // 2026-03-08 02:00 becomes 03:00 (07:00Z), 2026-11-01 02:00 becomes 01:00 (06:00Z).
  {
    what: 'the gap of New York',
    expression: '15 2 * * *',
    zone: 'America/New_York',
    from: '2026-03-07T12:00:00Z',
    next: ['2026-03-08T07:00Z', '2026-03-09T06:15Z'],
  },
  {
    what: 'the overlap of New York',
    expression: '15 1 * * *',
    zone: 'America/New_York',
    from: '2026-10-31T12:00:00Z',
    next: ['2026-11-01T05:15Z', '2026-11-02T06:15Z'],
  },
  // Lord Howe moves by half an hour: 2026-10-04 02:00 becomes 02:30 (15:30Z before), 2026-04-05
  // 02:00 becomes 01:30 (15:00Z before).
  {
    what: 'the half-hour gap of Lord Howe',
    expression: '15 2 * * *',
    zone: 'Australia/Lord_Howe',
    from: '2026-10-03T00:00:00Z',
    next: ['2026-10-03T15:30Z', '2026-10-04T15:15Z'],
  },
  {
    what: 'a time after the half-hour gap is not moved',
    expression: '45 2 * * *',
    zone: 'Australia/Lord_Howe',
    from: '2026-10-03T00:00:00Z',
    next: ['2026-10-03T15:45Z', '2026-10-04T15:45Z'],
  },
  {
    what: 'the half-hour overlap of Lord Howe',
    expression: '45 1 * * *',
    zone: 'Australia/Lord_Howe',
    from: '2026-04-04T00:00:00Z',
    next: ['2026-04-04T14:45Z', '2026-04-05T15:15Z'],
  },
  {
    what: 'a gap at midnight (Sao Paulo, 2018)',
    expression: '0 0 * * *',
    zone: 'America/Sao_Paulo',
    from: '2018-11-03T12:00:00Z',
    next: ['2018-11-04T03:00Z', '2018-11-05T02:00Z'],
  },
  {
    what: 'a day that never was (Apia, 2011-12-30)',
    expression: '0 12 30 12 *',
    zone: 'Pacific/Apia',
    from: '2011-12-01T00:00:00Z',
    next: ['2011-12-30T10:00Z', '2012-12-29T22:00Z'],
  },
  {
    what: 'a zone 45 minutes beside the hour',
    expression: '0 0 * * *',
    zone: 'Asia/Kathmandu',
    from: '2026-03-01T00:00:00Z',
    next: ['2026-03-01T18:15Z', '2026-03-02T18:15Z'],
  },
  {
    what: 'half an hour beside it',
    expression: '0 9 * * 1',
    zone: 'Asia/Kolkata',
    from: '2026-03-01T12:00:00Z',
    next: ['2026-03-02T03:30Z', '2026-03-09T03:30Z'],
  },
  {
    what: 'six fields begin with seconds',
    expression: '*/20 * * * * *',
    zone: 'UTC',
    from: '2026-01-01T00:00:05Z',
    next: ['2026-01-01T00:00:20Z', '2026-01-01T00:00:40Z', '2026-01-01T00:01:00Z'],
  },
  {
    what: 'a leap day',
    expression: '0 0 29 2 *',
    zone: 'UTC',
    from: '2026-01-01T00:00:00Z',
    next: ['2028-02-29T00:00Z', '2032-02-29T00:00Z'],
  },
  {
    what: 'a leap day across a year without one',
    expression: '0 0 29 2 *',
    zone: 'UTC',
    from: '2097-01-01T00:00:00Z',
    next: ['2104-02-29T00:00Z'],
  },
  {
    what: 'a 31st skips the shorter months',
    expression: '0 0 31 * *',
    zone: 'UTC',
    from: '2026-01-15T00:00:00Z',
    next: ['2026-01-31T00:00Z', '2026-03-31T00:00Z', '2026-05-31T00:00Z'],
  },
  {
    what: 'the last day of each month',
    expression: '0 0 L * *',
    zone: 'UTC',
    from: '2028-01-15T00:00:00Z',
    next: ['2028-01-31T00:00Z', '2028-02-29T00:00Z', '2028-03-31T00:00Z'],
  },
  {
    what: 'a day that no month has never comes',
    expression: '0 0 31 2 *',
    zone: 'Europe/Berlin',
    from: '2026-01-01T00:00:00Z',
    next: [null],
  },
  {
    what: 'an instant is not its own successor',
    expression: '0 6 * * *',
    zone: 'UTC',
    from: '2026-01-01T06:00:00Z',
    next: ['2026-01-02T06:00Z'],
  },
];

const textOf = (instantMs: number | null): string | null =>
  instantMs === null ? null : new Date(instantMs).toISOString();
const fullOf = (text: string | null): string | null => (text === null ? null : textOf(Date.parse(text)));

describe('a cron schedule', () => {
  it.each(ROWS)('$what: $expression in $zone', ({ expression, zone, from, next }) => {
    const schedule = openSchedule(expression, zone);
    const seen: (string | null)[] = [];
    for (let at: number | null = Date.parse(from); at !== null && seen.length < next.length; ) {
      at = schedule.after(at);
      seen.push(textOf(at));
    }
    expect(seen).toEqual(next.map(fullOf));
  });

  it('comes on every day of a year exactly once, whatever the clocks do', () => {
    for (const zone of [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'Asia/Tehran',
    ]) {
      for (const expression of ['30 2 * * *', '45 1 * * *', '0 0 * * *']) {
        const schedule = openSchedule(expression, zone);
        const days = new Set<string>();
        let count = 0;
        for (
          let at = schedule.after(Date.parse('2026-01-01T12:00:00Z'));
          at !== null && at < Date.parse('2027-01-01T12:00:00Z');
          at = schedule.after(at)
        ) {
          days.add(new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at));
          count += 1;
        }
        expect([zone, expression, days.size, count]).toEqual([zone, expression, 365, 365]);
      }
    }
  });

  it.each(['0 25 * * *', '@daily', '* * * *', '0 0 0 1 1 * 2026', ''])('refuses %o', (expression) => {
    expect(() => openSchedule(expression, 'UTC')).toThrow();
  });

  it('refuses a zone that is none', () => {
    expect(() => openSchedule('0 6 * * *', 'Mars/Base')).toThrow(/Mars\/Base/);
  });
});
