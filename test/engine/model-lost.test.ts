import { describe, expect, it } from 'vitest';
import type { ModelFailure, ModelResult } from '../../src/domain/ports/model.js';
import { reduceRun } from '../../src/view/reduce-run.js';
import { EMPTY_RUN } from '../../src/view/run-view.js';
import { askedWorld, fine, type Generate, never } from '../support/asked-world.js';
import { quickClock } from '../support/quick-clock.js';
import type { World } from '../support/run-world.js';
import { lawfulWorlds, payloadsOf } from './laws.js';

const open = lawfulWorlds();
const clock = quickClock(50);

const failed = (kind: ModelFailure['kind']): ModelResult => ({
  ok: false,
  failure: { kind, message: 'it failed', status: null, retryAfterMs: null },
});

/** Fails so after 40 characters, and answers when it is asked again. */
function once(kind: ModelFailure['kind'], text = 'x'.repeat(40)): Generate {
  let isFirst = true;
  return async ({ onSign, onText }) => {
    if (!isFirst) return fine;
    isFirst = false;
    onSign?.('sent');
    if (text !== '') onSign?.('piece');
    if (text !== '') onText?.(text);
    return failed(kind);
  };
}

const usageOf = async (world: World) => (await world.row()).usage;

describe('an attempt of which a part came', () => {
  it.each(['cut_stream', 'timeout', 'malformed', 'server'] as const)(
    'and failed as %s is counted, as an estimate',
    async (kind) => {
      const { world } = await askedWorld(open, once(kind), { clock, env: { KIT_MODEL_RETRIES: 1 } });

      await world.run();

      const usage = await usageOf(world);
      // 10 in and 5 out of the answer, 40 characters of the attempt, and what it was asked.
      expect(usage).toMatchObject({ outputTokens: 5 + 10, estimated: true });
      const [called] = payloadsOf(await world.events(), 'model.called');
      const lostIn = (usage?.inputTokens ?? 0) - 10;
      expect(lostIn).toBeGreaterThan(0);
      expect(called).toMatchObject({ status: 'ok', retries: 1, output_tokens: 15, estimated: true });
      expect(usage?.costUsd).toBeCloseTo(0.001 + (lostIn + 10) / 1000, 9);
    },
  );

  it('counts where the call failed for good, and is shown so', async () => {
    const { world } = await askedWorld(open, once('cut_stream'), { clock });

    await world.run();

    expect(await world.row()).toMatchObject({ status: 'failed', usage: { outputTokens: 10, estimated: true } });
    expect((await world.events()).reduce(reduceRun, EMPTY_RUN).usage).toMatchObject({
      outputTokens: 10,
      estimated: true,
      unknownCosts: 0,
    });
  });

  it('counts for the cost limit of the run', async () => {
    const { world, asked } = await askedWorld(open, once('cut_stream', 'x'.repeat(400)), {
      clock,
      env: { KIT_MODEL_RETRIES: 1 },
      limits: { maxCostPerRunUsd: 0.05 },
    });

    await world.run();

    expect(asked()).toBe(2);
    expect((await world.row()).reason).toBe('limit.max_cost_per_run_usd');
  });
});

describe('an attempt without a piece', () => {
  it('is counted where the server may have worked', async () => {
    const { world } = await askedWorld(open, once('timeout', ''), { clock, env: { KIT_MODEL_RETRIES: 1 } });

    await world.run();

    expect(await usageOf(world)).toMatchObject({ outputTokens: 5, estimated: true });
  });

  it.each(['network', 'rate_limited', 'overloaded', 'server', 'auth', 'bad_request'] as const)(
    'that failed as %s costs nothing',
    async (kind) => {
      const { world } = await askedWorld(open, once(kind, ''), { clock });

      await world.run();

      expect(await usageOf(world)).toEqual({
        ...{ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0 },
      });
    },
  );
});

it.each([-1, 1.5, Number.NaN, 1e308])('a provider that tells of %s characters is not believed', async (chars) => {
  const failure = { kind: 'cut_stream', message: 'cut', status: null, retryAfterMs: null, partial: { chars } } as const;
  const { world } = await askedWorld(open, async () => ({ ok: false, failure }), { clock });

  await world.run();

  expect(await usageOf(world)).toMatchObject({ outputTokens: 0, estimated: true });
});

it('a provider that tells what had come is believed', async () => {
  const failure = { kind: 'server', message: 'cut', status: null, retryAfterMs: null, partial: { chars: 80 } } as const;
  const { world } = await askedWorld(open, async () => ({ ok: false, failure }), { clock });

  await world.run();

  expect(await usageOf(world)).toMatchObject({ outputTokens: 20, estimated: true });
});

it('what a stop gave up is counted by who goes on', async () => {
  let isBack = false;
  const held = Promise.withResolvers<void>();
  const { world } = await askedWorld(
    open,
    async ({ onSign, onText }) => {
      if (isBack) return fine;
      onSign?.('sent');
      onSign?.('piece');
      onText?.('x'.repeat(40));
      held.resolve();
      return never();
    },
    { clock },
  );
  const over = world.run();
  await held.promise;
  await world.requestStop();
  await over;
  isBack = true;

  await world.runClaim(await world.resume());

  expect(await usageOf(world)).toMatchObject({ outputTokens: 15, estimated: true });
});
