import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { askLimiter, type LimiterState, newLimiter } from '../../../src/domain/limiter-state.js';
import type { LimiterHome, Permit, PermitRequest, PermitWait } from '../../../src/domain/ports/limiter.js';
import { createModelLimiter } from '../../../src/worker/limiter/model-limiter.js';
import { FakeClock } from '../../support/fake-clock.js';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const LIMITS = { account: 'acme', inFlight: 2, requestsPerMinute: null };

/** A limiter, and the permits that it gave so far. */
function scene(shared?: LimiterHome, holder = 'me', clock = new FakeClock()) {
  const limiter = createModelLimiter({
    clock,
    log,
    holder,
    random: () => 0.5,
    ...(shared === undefined ? {} : { shared }),
  });
  const given: (Permit | 'closed' | 'aborted')[] = [];
  const wait = (): PermitWait => limiter.waitOf(LIMITS.account);
  const request = (over: Partial<PermitRequest> = {}): void => {
    limiter
      .permit({
        limits: LIMITS,
        signal: new AbortController().signal,
        longestClosedMs: 10_000,
        ...over,
      })
      .then(
        (permit) => given.push('end' in permit ? permit : 'closed'),
        () => given.push('aborted'),
      );
  };
  const permitAt = (n: number): Permit => {
    const permit = given[n];
    if (permit === undefined || typeof permit === 'string') throw new Error(`permit ${n} is ${permit}`);
    return permit;
  };
  return { clock, request, given, wait, permitAt };
}

/** What processes share, as a store keeps it. */
function sharedHome(clock: FakeClock): LimiterHome & { broken: boolean } {
  let state: LimiterState | null = null;
  const home = async (_account: string, ask: Parameters<LimiterHome>[1]) => {
    await turn();
    if (shared.broken) throw new Error('the store is away');
    const next = askLimiter(state ?? newLimiter(ask.stated), ask, clock.now());
    state = next.state;
    return next.answer;
  };
  const shared = Object.assign(home, { broken: false });
  return shared;
}

describe('the limiter of a process', () => {
  it('gives what the account takes, and the next one when a request has ended, in order', async () => {
    const { request, given, permitAt, wait } = scene();
    for (let n = 0; n < 3; n++) request();
    await turn();
    expect(given).toHaveLength(2);
    expect(wait()).toEqual({ reason: 'in_flight', untilMs: null });
    permitAt(0).end({ type: 'answered' });
    permitAt(0).end({ type: 'answered' });
    await turn();
    expect(given).toHaveLength(3);
    request();
    await turn();
    expect(given).toHaveLength(3);
  });

  it('lets more follow what the provider has not refused for a second, before any answer', async () => {
    const { clock, request, given } = scene();
    const limits = { ...LIMITS, inFlight: null };
    for (let n = 0; n < 40; n++) request({ limits });
    await turn();
    const counts = [given.length];
    for (let second = 0; second < 4; second++) {
      await clock.advance(1_000);
      counts.push(given.length);
    }
    expect(counts).toEqual([8, 16, 24, 32, 40]);
    expect(clock.sleeping).toBe(0);
  });

  it('keeps accounts apart', async () => {
    const { request, given } = scene();
    for (let n = 0; n < 3; n++) request();
    for (let n = 0; n < 2; n++) request({ limits: { ...LIMITS, account: 'other' } });
    await turn();

    expect(given).toHaveLength(4);
  });

  it('lets all wait for a pause that the provider asks for, and turns away who does not wait so long', async () => {
    const { clock, request, given, permitAt, wait } = scene();
    request();
    await turn();
    request({ longestClosedMs: 1_000 });
    await turn();
    permitAt(0).end({ type: 'refused', retryAfterMs: 5_000 });
    request();
    request({ longestClosedMs: 1_000 });
    await turn();
    expect(given).toHaveLength(3);
    expect(given[2]).toBe('closed');
    expect(wait()).toMatchObject({ reason: 'closed', untilMs: clock.now() + 5_000 });
    permitAt(1).end({ type: 'answered' });
    await clock.advance(4_999);
    expect(given).toHaveLength(3);
    await clock.advance(1 + 250);
    expect(given).toHaveLength(4);
    expect(typeof given[3]).toBe('object');
  });

  it('forgets who gave up, and holds nothing for it', async () => {
    const { request, given, permitAt } = scene();
    const gone = new AbortController();
    request();
    request();
    request({ signal: gone.signal });
    request({ signal: AbortSignal.abort('before') });
    await turn();
    gone.abort('gone');
    await turn();
    expect(given.slice(2)).toEqual(['aborted', 'aborted']);
    request();
    permitAt(1).end({ type: 'failed' });
    await turn();
    expect(given).toHaveLength(5);
  });
});

describe('limiters that share an account', () => {
  it('take no more together than it takes', async () => {
    const clock = new FakeClock();
    const home = sharedHome(clock);
    const [one, two] = [scene(home, 'one', clock), scene(home, 'two', clock)];
    for (let n = 0; n < 4; n++) {
      one.request();
      two.request();
    }
    await clock.advance(5_000);
    expect(one.given.length + two.given.length).toBe(2);
    expect(one.given.length).toBe(1);
    one.permitAt(0).end({ type: 'answered' });
    two.permitAt(0).end({ type: 'answered' });
    await clock.advance(5_000);
    expect([one.given.length, two.given.length]).toEqual([2, 2]);
  });

  it('hold what they use as long as they live, however long it takes', async () => {
    const clock = new FakeClock();
    const home = sharedHome(clock);
    const [one, two] = [scene(home, 'one', clock), scene(home, 'two', clock)];
    one.request();
    one.request();
    await clock.advance(1_000);
    two.request();
    await clock.advance(300_000);
    expect(two.given).toHaveLength(0);
    one.permitAt(0).end({ type: 'answered' });
    await clock.advance(1_000);
    expect(two.given).toHaveLength(1);
  });

  it('go on by themselves while the store cannot be asked', async () => {
    const clock = new FakeClock();
    const home = sharedHome(clock);
    home.broken = true;
    const { request, given, permitAt } = scene(home, 'one', clock);
    for (let n = 0; n < 3; n++) request();
    await clock.advance(10);
    expect(given).toHaveLength(2);
    permitAt(0).end({ type: 'answered' });
    home.broken = false;
    await clock.advance(1_000);
    expect(given).toHaveLength(3);
  });

  it('leave nothing asleep once nothing is under way', async () => {
    const clock = new FakeClock();
    const { request, permitAt } = scene(sharedHome(clock), 'one', clock);
    request();
    await clock.advance(1_000);
    expect(clock.sleeping).toBe(1);
    permitAt(0).end({ type: 'answered' });
    await clock.advance(1_000);
    expect(clock.sleeping).toBe(0);
  });
});
