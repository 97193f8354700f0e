import { describe, expect, it, onTestFinished } from 'vitest';
import { KitError } from '../../src/domain/errors.js';
import { ENGINE } from '../../src/domain/journal.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { createClock } from '../../src/system/clock.js';
import { readWorkerHost } from '../../src/system/worker-host.js';
import { fenceOf } from '../../src/worker/fence-of.js';
import { Slots } from '../../src/worker/slots.js';
import { WorkLoop } from '../../src/worker/work-loop.js';
import { overriding } from '../engine/laws.js';
import { eachBatch } from '../support/each-batch.js';
import { agent, openWorld, type Script, type World } from '../support/run-world.js';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const LEASE_MS = 60_000;

const away = () =>
  new KitError('KIT_STORE_UNAVAILABLE', 'the server cannot be reached', { cause: new Error('read ECONNRESET') });
const refused = () =>
  new KitError('KIT_STORE_REFUSED', 'the store refused a statement: row is too big', { cause: new Error('54000') });

/**
 * The run of a world, waiting for a loop that works on it over `stores`, with a clock that can be
 * moved on.
 */
async function working(script: Script, between: (stores: Stores) => Stores) {
  const world = await openWorld({ root: agent('root', { role: 'root' }), script, recover: 'auto' });
  onTestFinished(() => world.close());
  await world.stores.jobs.release(fenceOf(world.job));
  const [clock, host] = [createClock(), readWorkerHost()];
  let skippedMs = 0;
  const moving = { ...clock, now: () => clock.now() + skippedMs };
  const stores = between(world.stores);
  const loop = new WorkLoop({
    ...{ stores, clock: moving, host, log, slots: new Slots(1) },
    leaseMs: () => LEASE_MS,
    claim: () => ({
      ...{ workerId: 'one', leaseMs: LEASE_MS, jobClass: 'any' as const, engine: ENGINE, host },
      offersFor: async () => ({ plugins: {}, adapters: {} }),
    }),
    jobDeps: () => ({ stores, clock, log, leaseMs: LEASE_MS, defer: setImmediate, open: async () => world.facilities }),
    afterRun: async () => undefined,
    fireDue: async () => void (await stores.reviews.dueTimers(1)),
    recoverAll: () => false,
  });
  const skip = (ms: number): void => {
    skippedMs += ms;
  };
  return { world, loop, skip };
}

const ended = (world: World, status: string) => expect.poll(async () => (await world.row()).status).toBe(status);

/**
 * Commits that end a step fail as `fail` says, and with them all that the same claim hands in
 * behind them, as in every store.
 */
function endsOfSteps(stores: Stores, fail: () => void): Stores {
  const broken = new Map<number, unknown>();
  const commit = eachBatch(async (fence, writes) => {
    if (broken.has(fence.attempt)) throw broken.get(fence.attempt);
    try {
      if (writes.some(({ op }) => op === 'step.ended')) fail();
    } catch (error) {
      broken.set(fence.attempt, error);
      throw error;
    }
    return stores.runs.commit(fence, writes);
  });
  return overriding(stores, { runs: overriding(stores.runs, { commit }) });
}

describe('a run that is given back', () => {
  it('because the store refuses its result for itself is tried three times, and then fails as a crash loop that says why', async () => {
    let calls = 0;
    const script: Script = () => {
      calls += 1;
      return 'a very long answer';
    };
    const { world, loop } = await working(script, (stores) =>
      endsOfSteps(stores, () => {
        throw refused();
      }),
    );
    await loop.start();
    await ended(world, 'failed');
    await loop.drain(300);

    const row = await world.row();
    expect(row).toMatchObject({ reason: 'crash_loop', crashes: 3, attempt: 4 });
    expect(row.error).toMatch(
      /^given up 3 times in step root\S* without finishing a step: the store refused a statement: row is too big$/,
    );
    expect(calls).toBe(3);
    expect((await world.events()).filter(({ type }) => type === 'run.ended')).toHaveLength(1);
  });

  it('because the store refuses to read for it is tried three times too, whatever it was to read', async () => {
    const { world, loop } = await working(
      () => 'done',
      (stores) =>
        overriding(stores, {
          jobs: overriding(stores.jobs, {
            isStopRequested: async () => {
              throw refused();
            },
          }),
        }),
    );
    await loop.start();
    await ended(world, 'failed');
    await loop.drain(300);

    expect(await world.row()).toMatchObject({
      reason: 'crash_loop',
      crashes: 3,
      error: expect.stringContaining('row is too big'),
    });
  });

  it('because the store is away counts nothing, however often', async () => {
    let left = 5;
    const { world, loop } = await working(
      () => 'done',
      (stores) =>
        endsOfSteps(stores, () => {
          left -= 1;
          if (left >= 0) throw away();
        }),
    );
    await loop.start();
    await ended(world, 'completed');
    await loop.drain(300);

    expect(await world.row()).toMatchObject({ output: 'done', crashes: 0, attempt: 7 });
  });

  it('after an outage longer than its lease is given back by its own worker before that one takes anything over', async () => {
    const seen: string[] = [];
    const answering = Promise.withResolvers<void>();
    let isAway = false;
    let isOver = false;
    let unheard = 0;
    const { world, loop, skip } = await working(
      async () => {
        isAway = !isOver;
        await answering.promise;
        return 'done';
      },
      (stores) => {
        const reported =
          <A extends unknown[], T>(name: string, ask: (...args: A) => Promise<T>) =>
          async (...args: A): Promise<T> => {
            if (isAway) {
              unheard += 1;
              throw away();
            }
            seen.push(name);
            return ask(...args);
          };
        return overriding(stores, {
          reviews: overriding(stores.reviews, {
            dueTimers: reported('look', (...args) => stores.reviews.dueTimers(...args)),
          }),
          runs: overriding(stores.runs, { commit: reported('commit', (...args) => stores.runs.commit(...args)) }),
          jobs: overriding(stores.jobs, {
            claim: reported('claim', (...args) => stores.jobs.claim(...args)),
            heartbeat: reported('beat', (...args) => stores.jobs.heartbeat(...args)),
            release: reported('release', (...args) => stores.jobs.release(...args)),
            sweep: reported('sweep', (...args) => stores.jobs.sweep(...args)),
          }),
        });
      },
    );
    await loop.start();
    await expect.poll(() => isAway).toBe(true);
    answering.resolve();
    seen.length = 0;
    skip(LEASE_MS * 2);
    await expect.poll(() => unheard).toBeGreaterThan(3);
    isOver = true;
    isAway = false;
    await ended(world, 'completed');
    expect(seen).toContain('release');
    expect(seen).not.toContain('sweep');
    expect(await world.row()).toMatchObject({ crashes: 0, attempt: 3 });

    // In two parts, with a look between them: a clock that jumps by half a lease is a silence of
    // its own.
    for (const part of [1, 2]) {
      const looks = seen.filter((name) => name === 'look').length;
      skip(LEASE_MS / 3);
      await expect
        .poll(() => seen.filter((name) => name === 'look').length, { timeout: 10_000 })
        .toBeGreaterThan(looks + part);
    }
    expect(seen).toContain('sweep');
    await loop.drain(300);
  });
});
