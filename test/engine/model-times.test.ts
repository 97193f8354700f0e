import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ModelCallOptions } from '../../src/domain/ports/model.js';
import { askedWorld, fine, type Generate, never } from '../support/asked-world.js';
import { FakeClock } from '../support/fake-clock.js';
import { quickClock } from '../support/quick-clock.js';
import type { World } from '../support/run-world.js';
import { SettableClock } from '../support/settable-clock.js';
import { lawfulWorlds, payloadsOf } from './laws.js';

const open = lawfulWorlds();

/** Moves time on until the run is over. */
async function ended(world: World, clock: FakeClock | SettableClock, stepMs: number): Promise<void> {
  let isOver = false;
  const over = world.run().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    // Work on files needs turns of its own.
    for (let n = 0; n < 20 && !isOver; n += 1) await turn();
    if (clock.sleeping > 0) await clock.advance(stepMs);
  }
  await over;
}

/** A stream that sends a piece each second, and ends after that many. */
const talking =
  (clock: FakeClock, pieces: number): Generate =>
  async ({ onSign }) => {
    onSign?.('sent');
    for (let n = 0; n < pieces; n += 1) {
      await clock.sleep(1_000);
      onSign?.('piece');
    }
    return fine;
  };

describe('a streamed answer', () => {
  it('of one piece a second takes ten minutes, and is taken', async () => {
    const clock = new FakeClock();
    const { world, asked } = await askedWorld(open, talking(clock, 600), { clock });

    await ended(world, clock, 1_000);

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'fine' });
    expect(asked()).toBe(1);
    expect(payloadsOf(await world.events(), 'model.called')).toMatchObject([{ retries: 0, duration_ms: 600_000 }]);
  });

  it.each([
    {
      name: 'that does not begin is given up for that',
      generate: ({ onSign }: ModelCallOptions) => {
        onSign?.('sent');
        return never();
      },
      error: /no answer began within 60 s \(KIT_MODEL_FIRST_BYTE_S\)/,
      afterMs: 60_000,
    },
    {
      name: 'that falls silent is given up for that',
      generate: ({ onSign }: ModelCallOptions) => {
        onSign?.('sent');
        onSign?.('piece');
        return never();
      },
      env: { KIT_MODEL_SILENCE_S: 7 },
      error: /nothing came for 7 s \(KIT_MODEL_SILENCE_S\)/,
      afterMs: 7_000,
    },
  ])('$name', async ({ generate, env = {}, error, afterMs }) => {
    const clock = new FakeClock();
    const { world } = await askedWorld(open, generate, { clock, env });

    await ended(world, clock, 1_000);

    const row = await world.row();
    expect(row).toMatchObject({ status: 'failed', reason: 'provider.timeout' });
    expect(row.error).toMatch(error);
    expect(payloadsOf(await world.events(), 'model.called')).toMatchObject([{ duration_ms: afterMs }]);
  });

  it('that never ends is given up for the whole of its time', async () => {
    const clock = new FakeClock();
    const { world } = await askedWorld(open, talking(clock, 10_000), { clock, env: { KIT_MODEL_TIMEOUT: 90 } });

    await ended(world, clock, 1_000);

    expect((await world.row()).error).toMatch(/no whole answer within 90 s \(KIT_MODEL_TIMEOUT\)/);
  });
});

describe.each([
  ['back an hour', -3_600_000],
  ['on a day', 86_400_000],
])('a wall clock that is set %s', (_name, byMs) => {
  it('cuts off no answer, and a silent one gets no more time', async () => {
    const clock = new SettableClock();
    const { world, asked } = await askedWorld(
      open,
      async ({ onSign }) => {
        onSign?.('sent');
        await clock.sleep(3_000);
        clock.set(byMs);
        onSign?.('piece');
        await clock.sleep(3_000);
        return fine;
      },
      { clock },
    );
    await ended(world, clock, 1_000);
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'fine' });
    expect(asked()).toBe(1);

    const silent = await askedWorld(
      open,
      ({ onSign }) => {
        onSign?.('sent');
        clock.set(byMs);
        return never();
      },
      { clock },
    );
    await ended(silent.world, clock, 1_000);
    expect((await silent.world.row()).error).toMatch(/no answer began within 60 s/);
  });
});

describe('an answer that comes in one piece', () => {
  it('has the time of the whole call: nobody knows what its silence means', async () => {
    const clock = new FakeClock();
    const slow: Generate = async () => {
      await clock.sleep(300_000);
      return fine;
    };
    const { world } = await askedWorld(open, slow, { clock });

    await ended(world, clock, 10_000);

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'fine' });
  });

  it('of a run from before there were other times keeps the one that it had', async () => {
    const clock = new FakeClock();
    const silent: Generate = ({ onSign }) => {
      onSign?.('sent');
      return never();
    };
    const { world } = await askedWorld(open, silent, { clock, snapshot: { env: { ...(await envOfBefore()) } } });

    await ended(world, clock, 10_000);

    expect((await world.row()).error).toMatch(/no whole answer within 300 s/);
  });
});

/** What the snapshot of a run held before streams had times of their own. */
async function envOfBefore(): Promise<World['snapshot']['env']> {
  const { world } = await askedWorld(open, async () => fine, { clock: quickClock(1) });
  await world.run();
  const { KIT_MODEL_FIRST_BYTE_S: _first, KIT_MODEL_SILENCE_S: _silence, ...env } = world.snapshot.env;
  return { ...env, KIT_MODEL_TIMEOUT: 300 };
}
