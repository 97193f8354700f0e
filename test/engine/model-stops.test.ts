import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ModelResult } from '../../src/domain/ports/model.js';
import { askedWorld, fine, type Generate, never } from '../support/asked-world.js';
import { FakeClock } from '../support/fake-clock.js';
import { quickClock } from '../support/quick-clock.js';
import { lawfulWorlds, overriding } from './laws.js';

const open = lawfulWorlds();

const cut: ModelResult = {
  ok: false,
  failure: { kind: 'cut_stream', message: 'cut', status: null, retryAfterMs: null },
};

describe('a stop', () => {
  /** The model is asked, and the test goes on; it then never answers. */
  function held(): {
    readonly asked: Promise<unknown>;
    readonly generate: Generate;
    readonly wasAborted: () => boolean;
  } {
    const asked = Promise.withResolvers<void>();
    let signal: AbortSignal | null = null;
    return {
      asked: asked.promise,
      wasAborted: () => signal?.aborted === true,
      generate: (options) => {
        ({ signal } = options);
        asked.resolve();
        return never();
      },
    };
  }

  it('gives up the call of a model in flight, and a resume asks for it again', async () => {
    const model = held();
    let isBack = false;
    const { world, asked } = await askedWorld(open, async (options) => (isBack ? fine : model.generate(options)), {
      clock: quickClock(20),
    });
    const over = world.run();
    await model.asked;

    await world.requestStop();
    await over;

    expect(model.wasAborted()).toBe(true);
    expect(await world.row()).toMatchObject({ status: 'stopped', reason: 'stop_requested' });
    isBack = true;
    await world.runClaim(await world.resume());
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'fine' });
    expect(asked()).toBe(2);
  });

  it('that this process took in is seen at once', async () => {
    const model = held();
    const clock = new FakeClock();
    const { world } = await askedWorld(open, model.generate, { clock });
    const stop = new AbortController();
    const over = world.run({ stop: stop.signal });
    await model.asked;
    // The watch begins once the answer does not come at once.
    while (clock.sleeping < 2) await turn();

    await world.requestStop();
    stop.abort('asked');
    await over;

    // No time has passed.
    expect(await world.row()).toMatchObject({ status: 'stopped', reason: 'stop_requested' });
  });

  it('while it waits for the next attempt sends no further request', async () => {
    const clock = new FakeClock();
    const failed = Promise.withResolvers<void>();
    const { world, asked } = await askedWorld(
      open,
      async () => {
        failed.resolve();
        return cut;
      },
      { clock, env: { KIT_MODEL_RETRIES: 3 } },
    );
    const stop = new AbortController();
    const over = world.run({ stop: stop.signal });
    await failed.promise;
    while (clock.sleeping < 2) await turn();

    await world.requestStop();
    stop.abort('asked');
    await over;

    expect(asked()).toBe(1);
    expect(await world.row()).toMatchObject({ status: 'stopped', reason: 'stop_requested' });
  });

  it('of a worker that leaves lets the call in flight end, and sends no further one', async () => {
    const clock = quickClock(20);
    const drain = new AbortController();
    const { world, asked } = await askedWorld(
      open,
      async () => {
        drain.abort('leaving');
        return cut;
      },
      { clock, env: { KIT_MODEL_RETRIES: 3 } },
    );

    expect(await world.run({ drain: drain.signal })).toMatchObject({ kind: 'released' });

    expect(asked()).toBe(1);
    expect(await world.row()).toMatchObject({ status: 'pending' });
  });
});

it('costs no look where the answer comes at once', async () => {
  let looks = 0;
  const { world } = await askedWorld(open, async () => fine, {
    clock: quickClock(1),
    wrap: (stores) => {
      const isStopRequested = (jobId: string): Promise<boolean> => {
        looks += 1;
        return stores.jobs.isStopRequested(jobId);
      };
      return overriding(stores, { jobs: overriding(stores.jobs, { isStopRequested }) });
    },
  });
  await world.run();
  // That of the boundary where the run began.
  expect(looks).toBe(1);
});
