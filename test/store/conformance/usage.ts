import { expect, it } from 'vitest';
import type { RunEvent } from '../../../src/domain/events.js';
import { type Call, calledEvent } from '../../support/model-calls.js';
import { claimOf, messageEvent, newJob } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

export function usageLaws(world: World): void {
  const called = (call: Call): RunEvent => calledEvent(world().ids.uuid(), call);
  const run = async (calls: readonly Call[], topologyId?: string): Promise<string> => {
    const { stores, ids } = world();
    const id = ids.jobId();
    const events = [messageEvent(ids.uuid(), 'not a call'), ...calls.map(called)];
    const own = topologyId === undefined ? events : events.map((event) => ({ ...event, topologyId }));
    await stores.jobs.insert(newJob(id), 'pending', own, claimOf());
    return id;
  };
  const usage = (filter: Parameters<ReturnType<World>['stores']['serving']['usage']>[0] = {}) =>
    world().stores.serving.usage(filter);

  it('is nothing where no model was called', async () => {
    const id = await run([]);
    expect(await usage()).toEqual([]);
    expect(await usage({ jobId: id })).toEqual([]);
    expect(await usage({ jobId: 'ffffffffffff' })).toEqual([]);
  });

  it('adds up the calls of each model, the most expensive first', async () => {
    await run([
      { model: 'small', input: 100, output: 20, cached: 50, cost: 0.25 },
      { model: 'large', input: 1000, output: 200, cost: 2 },
    ]);
    await run([
      { model: 'small', input: 1, output: 2, cached: 3, cost: 0.5 },
      { model: 'free' },
      { model: 'also-free' },
    ]);

    expect(await usage()).toEqual([
      { key: 'large', calls: 1, inputTokens: 1000, outputTokens: 200, cachedInputTokens: 0, costUsd: 2 },
      { key: 'small', calls: 2, inputTokens: 101, outputTokens: 22, cachedInputTokens: 53, costUsd: 0.75 },
      { key: 'also-free', calls: 1, inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, costUsd: 0 },
      { key: 'free', calls: 1, inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, costUsd: 0 },
    ]);
  });

  it('counts what a fallback model answered as its own', async () => {
    const id = await run([{ cost: 5 }, { servedBy: 'm-2', cost: 1 }]);

    for (const asked of [{}, { jobId: id }])
      expect((await usage(asked)).map(({ key, calls, costUsd }) => [key, calls, costUsd])).toEqual([
        ['m-1', 1, 5],
        ['m-2', 1, 1],
      ]);
  });

  it('does not know what a model cost when one of its calls has no price', async () => {
    await run([{ cost: 5 }, { cost: null }, { model: 'm-2', cost: 1 }]);
    await run([{ cost: 5 }]);

    expect((await usage()).map(({ key, calls, costUsd }) => [key, calls, costUsd])).toEqual([
      ['m-1', 3, null],
      ['m-2', 1, 1],
    ]);
  });

  it('counts what a replay repeats once: it was paid for when it was recorded', async () => {
    const { stores, ids } = world();
    await run([{ cost: 2 }]);
    const needs = { plugins: {}, adapters: {}, cassette: 'a'.repeat(64) };
    const replay = newJob(ids.jobId(), { needs });
    await stores.jobs.insert(replay, 'pending', [called({ cost: 2 })], claimOf({ offers: needs }));

    expect(await usage()).toMatchObject([{ calls: 1, costUsd: 2 }]);
    expect(await usage({ jobId: replay.id })).toMatchObject([{ calls: 1, costUsd: 2 }]);
  });

  it('knows what a model cost although a call of it failed before anything was answered', async () => {
    const id = await run([{ cost: 5 }, { status: 'failed', cost: null, input: 0, output: 0 }]);
    await run([
      { model: 'm-2', status: 'failed', cost: null },
      { model: 'm-3', status: 'failed', cost: null, input: 0, output: 0 },
    ]);

    expect((await usage()).map(({ key, calls, costUsd }) => [key, calls, costUsd])).toEqual([
      ['m-2', 1, null],
      ['m-1', 2, 5],
      ['m-3', 1, 0],
    ]);
    expect(await usage({ jobId: id })).toMatchObject([{ calls: 2, costUsd: 5 }]);
  });

  it.each([
    ['a NUL', 'a\u0000b'],
    ['half a character', 'a\ud83d'],
    ['what reads like an escape', 'C:\\u0000 \\\\ud800 \\ud83d\\ude00 \ud83d\ude00'],
    ['quotes and a field of its own name', '"input_tokens":7,\\"cost_usd\\":9'],
  ])('adds up calls whose words hold %s', async (_, reason) => {
    const id = await run([{ reason, input: 3, cost: 0.5 }]);

    for (const filter of [{}, { jobId: id }])
      expect(await usage(filter)).toMatchObject([{ key: 'm-1', calls: 1, inputTokens: 3, costUsd: 0.5 }]);
  });

  it('narrows to one run', async () => {
    const [a, b] = [await run([{ cost: 1 }, { model: 'm-2', cost: null }]), await run([{ cost: 3 }])];

    expect((await usage({ jobId: b })).map(({ key, costUsd }) => [key, costUsd])).toEqual([['m-1', 3]]);
    expect((await usage({ jobId: a })).map(({ key, costUsd }) => [key, costUsd])).toEqual([
      ['m-2', null],
      ['m-1', 1],
    ]);
  });

  it('adds up by day of UTC, the oldest first, and by topology, the most expensive first', async () => {
    await run(
      [
        { cost: 1, timestamp: '2026-01-02T23:59:59.999Z' },
        { cost: 2, timestamp: '2026-01-03T00:00:00.000Z', model: 'm-2' },
      ],
      'small',
    );
    await run([{ cost: 4, timestamp: '2026-01-02T01:00:00.000Z' }], 'large');
    const sums = async (filter: Parameters<typeof usage>[0]) =>
      (await usage(filter)).map(({ key, calls, costUsd }) => [key, calls, costUsd]);

    expect(await sums({ by: 'day' })).toEqual([
      ['2026-01-02', 2, 5],
      ['2026-01-03', 1, 2],
    ]);
    expect(await sums({ by: 'topology' })).toEqual([
      ['large', 1, 4],
      ['small', 2, 3],
    ]);
    expect(await sums({ by: 'day', topology: 'small' })).toEqual([
      ['2026-01-02', 1, 1],
      ['2026-01-03', 1, 2],
    ]);
    expect(await sums({ by: 'topology', since: '2026-01-03T00:00:00Z' })).toEqual([['small', 1, 2]]);
    expect(await sums({ topology: 'nobody' })).toEqual([]);
  });

  it('narrows to a time, both ends included', async () => {
    const id = await run([1, 2, 3, 4].map((day) => ({ cost: day, timestamp: `2026-01-0${day}T00:00:00.000Z` })));
    const cost = async (filter: Parameters<typeof usage>[0]) => (await usage(filter)).map(({ costUsd }) => costUsd);
    const [since, until] = ['2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];

    for (const of of [{}, { jobId: id }]) {
      expect(await cost({ ...of, since })).toEqual([9]);
      expect(await cost({ ...of, until })).toEqual([6]);
      expect(await cost({ ...of, since, until })).toEqual([5]);
      expect(await cost({ ...of, since: '2027' })).toEqual([]);
      expect(await cost({ ...of, since: '2026-01-02T00:00:00Z', until: '2026-01-03T01:00:00+01:00' })).toEqual([5]);
    }
  });

  it('adds up more calls than one read of the log takes', async () => {
    for (let n = 0; n < 9; n++) await run(Array.from({ length: 500 }, () => ({ input: 1, cost: 0.5 })));

    expect(await usage()).toMatchObject([{ calls: 4500, inputTokens: 4500, costUsd: 2250 }]);
  }, 30_000);
}
