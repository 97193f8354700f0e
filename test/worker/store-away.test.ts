import { describe, expect, it } from 'vitest';
import { KitError } from '../../src/domain/errors.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import type { Clock } from '../../src/domain/ports/system.js';
import { createClock } from '../../src/system/clock.js';
import { lawfulWorlds, overriding } from '../engine/laws.js';
import { decide, gatedBy, goOn, ONE_ROLE } from '../support/gated.js';
import { agent } from '../support/run-world.js';

const open = lawfulWorlds();

const gone = () =>
  new KitError('KIT_STORE_UNAVAILABLE', 'the server cannot be reached', { cause: new Error('read ECONNRESET') });

/**
 * Something that every run of the tests below reads, and a store that cannot answer it `times`
 * times.
 */
const READS: readonly {
  readonly what: string;
  readonly away: (stores: Stores, fail: () => void) => Partial<Stores>;
}[] = [
  {
    what: 'whether a stop was asked for',
    away: (stores, fail) => ({
      jobs: overriding(stores.jobs, {
        isStopRequested: async (id) => {
          fail();
          return stores.jobs.isStopRequested(id);
        },
      }),
    }),
  },
  {
    what: 'what people decided',
    away: (stores, fail) => ({
      reviews: overriding(stores.reviews, {
        state: async (id) => {
          fail();
          return stores.reviews.state(id);
        },
      }),
    }),
  },
  {
    what: 'its artifacts',
    away: (stores, fail) => ({
      artifacts: overriding(stores.artifacts, {
        put: async (artifact, fence) => {
          fail();
          return stores.artifacts.put(artifact, fence);
        },
      }),
    }),
  },
];

/** The wall clock, which an outage moves on. */
function movingClock(): Clock & { skip(ms: number): void } {
  const clock = createClock();
  let skippedMs = 0;
  return {
    ...clock,
    now: () => clock.now() + skippedMs,
    skip: (ms) => {
      skippedMs += ms;
    },
  };
}

describe('a run whose store is away', () => {
  async function openAway(
    away: (typeof READS)[number]['away'],
    outage: { readonly times: number; readonly eachMs: number },
  ) {
    const calls: string[] = [];
    const clock = movingClock();
    let left = outage.times;
    const fail = (): void => {
      left -= 1;
      if (left < 0) return;
      clock.skip(outage.eachMs);
      throw gone();
    };
    const world = await open({
      root: agent('root', { role: 'root', funnel: 'sign-off' }),
      ...gatedBy(ONE_ROLE),
      recover: 'auto',
      clock,
      wrap: (stores) => overriding(stores, away(stores, fail)),
      script: ({ agent: id, turn }) => {
        calls.push(`${id}/${turn}`);
        return 'a draft';
      },
    });
    return { world, calls };
  }

  it.each(READS)('for a moment asks it again: $what', async ({ away }) => {
    const { world, calls } = await openAway(away, { times: 3, eachMs: 0 });

    expect(await world.run()).toMatchObject({ kind: 'parked' });
    expect(calls).toEqual(['root/0']);
  });

  it.each(READS)('for long is left, not failed, and goes on from its journal: $what', async ({ away }) => {
    const { world, calls } = await openAway(away, { times: 1, eachMs: 11_000 });
    const { workerId, attempt } = world.job;

    // Whoever waits for the run is told which store it was.
    expect(await world.run()).toEqual({
      kind: 'lost',
      trouble: { code: 'KIT_STORE_UNAVAILABLE', message: 'the server cannot be reached' },
    });
    expect(await world.row()).toMatchObject({ status: 'running', workerId, attempt });
    expect((await world.stores.runs.load(world.job.id)).filter((row) => row.outcome?.status === 'failed')).toEqual([]);

    await world.stores.jobs.release({ jobId: world.job.id, workerId: workerId ?? '', attempt });
    expect(await goOn(world)).toMatchObject({ kind: 'parked' });
    await decide(world, { role: 'qa' });
    await goOn(world);
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'a draft' });
    expect(calls).toEqual(['root/0']);
  });

  it('puts no artifact that another claim of the run would show as its own', async () => {
    let isLate = true;
    const world = await open({
      root: agent('root', { role: 'root', funnel: 'sign-off' }),
      ...gatedBy(ONE_ROLE),
      recover: 'auto',
      wrap: (stores) =>
        overriding(stores, {
          artifacts: overriding(stores.artifacts, {
            put: async (artifact, fence) => {
              // The lease goes to somebody else behind the answer, before its artifact is put.
              if (isLate && fence !== undefined) await stores.jobs.release(fence);
              isLate = false;
              return stores.artifacts.put(artifact, fence);
            },
          }),
        }),
      script: () => 'a draft',
    });

    expect(await world.run()).toEqual({ kind: 'lost' });
    expect(await world.stores.artifacts.list({ runId: world.job.id, limit: 10 })).toEqual([]);

    expect(await goOn(world)).toMatchObject({ kind: 'parked' });
    expect(await world.stores.artifacts.list({ runId: world.job.id, limit: 10 })).toHaveLength(1);
  });

  it('is not judged by a worker that cannot even open it', async () => {
    let left = 1;
    const world = await open({
      root: agent('root', { role: 'root' }),
      recover: 'auto',
      wrap: (stores) => {
        const get: Stores['blobs']['get'] = async (sha256) => {
          left -= 1;
          if (left >= 0) throw gone();
          return stores.blobs.get(sha256);
        };
        return overriding(stores, { blobs: overriding(stores.blobs, { get }) });
      },
      script: () => 'done',
    });

    await expect(world.run()).rejects.toMatchObject({ code: 'KIT_STORE_UNAVAILABLE' });
    expect(await world.row()).toMatchObject({ status: 'running', reason: null });

    await world.run();
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
  });
});
