import { describe, expect, it } from 'vitest';
import type { LimiterAsk } from '../../../src/domain/limiter.js';
import { askLimiter, HOLDER_MS, type LimiterState, newLimiter } from '../../../src/domain/limiter-state.js';
import { simulate } from './provider-sim.js';

const UNKNOWN = { inFlight: null, requestsPerMinute: null };
const ask = (over: Partial<LimiterAsk> = {}): LimiterAsk => ({
  holder: 'me',
  inUse: 0,
  waiting: 1,
  heard: [],
  stated: UNKNOWN,
  ...over,
});
const refusals = (sent: readonly { readonly isRefused: boolean }[]): number =>
  sent.filter(({ isRefused }) => isRefused).length;

describe('a limit that nobody knows', () => {
  it.each([1, 4])('is found by 100 calls of %i processes with fewer than ten refusals', (processes) => {
    const sent = simulate({ calls: 100, processes, atOnce: 5 });

    expect(sent.length - refusals(sent)).toBe(100);
    expect(refusals(sent)).toBeLessThan(10);
  });

  it.each([500, 1_500, 3_000])('is found by processes that see answers up to %i ms late', (lateMs) => {
    for (const takesMs of [100, 300, 3_000]) {
      const sent = simulate({ calls: 120, processes: 4, atOnce: 5, takesMs, lateMs });

      expect(sent.length - refusals(sent)).toBe(120);
      expect(refusals(sent), `${takesMs} ms a call`).toBeLessThan(10);
    }
  });

  it('lets a fan-out grow where the provider takes everything', () => {
    const sent = simulate({ calls: 200, processes: 1, atOnce: 1_000 });

    expect(refusals(sent)).toBe(0);
    const atOnce = sent.filter(({ atMs }) => atMs < 10_000).length;
    expect(atOnce).toBe(200);
  });

  it('lets every process have its share', () => {
    const sent = simulate({ calls: 400, processes: 4, atOnce: 4, stated: { ...UNKNOWN, inFlight: 4 } });
    const firstHalf = sent.slice(0, 200);

    expect(refusals(sent)).toBe(0);
    for (let process = 0; process < 4; process++)
      expect(firstHalf.filter((one) => one.process === process).length).toBeGreaterThan(40);
  });

  it('lets processes take turns that are more than the provider takes at once', () => {
    const sent = simulate({ calls: 80, processes: 8, atOnce: 2, stated: { ...UNKNOWN, inFlight: 2 } });

    expect(new Set(sent.slice(0, 16).map(({ process }) => process)).size).toBe(8);
  });
});

describe('a stated rate', () => {
  it.each([1, 9, 60, 600])('of %i requests a minute is kept in every minute', (rate) => {
    const calls = Math.min(3 * rate + 2, 400);
    const sent = simulate({ calls, processes: 3, atOnce: 1_000, stated: { inFlight: null, requestsPerMinute: rate } });
    const within = sent.map(({ atMs }) => sent.filter((one) => one.atMs >= atMs && one.atMs < atMs + 60_000).length);

    expect(sent).toHaveLength(calls);
    expect(Math.max(...within)).toBeLessThanOrEqual(rate);
  });
});

describe('a refusal', () => {
  const sentEight = askLimiter(newLimiter(UNKNOWN), ask({ waiting: 20 }), 1_000);

  it('closes the account for the time that the provider asks for', () => {
    expect(sentEight.answer).toEqual({ granted: 8, reason: 'in_flight', retryInMs: null });
    const heard = [{ type: 'refused', retryAfterMs: 30_000, ageMs: 10 }] as const;
    const closed = askLimiter(sentEight.state, ask({ inUse: 7, waiting: 13, heard }), 1_010);
    expect(closed.answer).toEqual({ granted: 0, reason: 'closed', retryInMs: 30_000 });
    const open = askLimiter(closed.state, ask({ inUse: 0, waiting: 13 }), 31_010);
    expect(open.answer).toEqual({ granted: 4, reason: 'in_flight', retryInMs: null });
  });

  it('of the same burst does not halve again', () => {
    const refused = { type: 'refused', retryAfterMs: null, ageMs: 10 } as const;
    const { state } = askLimiter(sentEight.state, ask({ inUse: 5, heard: [refused, refused, refused] }), 1_010);

    expect(state).toMatchObject({ allowed: 4, ceiling: 5, closedUntilMs: 2_010 });
  });

  it('that says NaN or less than nothing closes as one without advice, or not at all', () => {
    for (const [retryAfterMs, until] of [
      [Number.NaN, 2_010],
      [-5, 1_010],
    ] as const) {
      const heard = [{ type: 'refused', retryAfterMs, ageMs: 10 }] as const;
      expect(askLimiter(sentEight.state, ask({ inUse: 7, heard }), 1_010).state.closedUntilMs).toBe(until);
    }
  });
});

describe('what an answer tells of the limit', () => {
  const stateAfter = (limit: { limit: number; remaining: number; resetMs: number }): LimiterState =>
    askLimiter(newLimiter(UNKNOWN), ask({ waiting: 0, heard: [{ type: 'reported', limit }] }), 0).state;

  it('holds requests back that the provider would refuse', () => {
    const state = stateAfter({ limit: 60, remaining: 2, resetMs: 58_000 });

    expect(askLimiter(state, ask({ waiting: 5 }), 0).answer).toEqual({
      granted: 2,
      reason: 'requests_per_minute',
      retryInMs: 1_000,
    });
  });

  it.each([
    { limit: 0, remaining: 0, resetMs: 1 },
    { limit: 5, remaining: 9, resetMs: 1 },
    { limit: Number.NaN, remaining: 0, resetMs: 1 },
    { limit: 5, remaining: -1, resetMs: 1 },
    { limit: 5, remaining: 0, resetMs: 86_400_000 },
  ])('is not believed where it makes no sense: %o', (limit) => {
    expect(stateAfter(limit).told).toBeNull();
  });
});

it('forgets a process that was not heard of', () => {
  const stated = { inFlight: 1, requestsPerMinute: null };
  const { state } = askLimiter(newLimiter(stated), ask({ holder: 'dead', stated }), 0);

  expect(askLimiter(state, ask({ stated }), HOLDER_MS - 1).answer.granted).toBe(0);
  expect(askLimiter(state, ask({ stated }), HOLDER_MS).answer.granted).toBe(1);
});
