import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { KitError } from '../../src/domain/errors.js';
import type { ModelLimiter } from '../../src/domain/ports/limiter.js';
import type { ModelProvider, ModelResult } from '../../src/domain/ports/model.js';
import type { Clock } from '../../src/domain/ports/system.js';
import { createModelLimiter } from '../../src/worker/limiter/model-limiter.js';
import { fine } from '../support/asked-world.js';
import { FakeClock } from '../support/fake-clock.js';
import { quickClock } from '../support/quick-clock.js';
import { agent, call, type World, type WorldOptions } from '../support/run-world.js';
import { committing, lawfulWorlds, payloadsOf } from './laws.js';

const open = lawfulWorlds();
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const refused = (retryAfterMs: number | null): ModelResult => ({
  ok: false,
  failure: { kind: 'rate_limited', message: 'too many', status: 429, retryAfterMs },
});

const LIMITS = { account: 'acme', inFlight: 1, requestsPerMinute: null };

interface Limited {
  readonly world: World;
  readonly limiter: ModelLimiter;
  readonly asked: () => number;
}

/** A run whose provider takes one request at a time, with the limiter of a process around it. */
async function limited(
  generate: (n: number) => Promise<ModelResult>,
  over: Partial<WorldOptions> & { readonly clock: Clock },
): Promise<Limited> {
  let asked = 0;
  const limiter = createModelLimiter({ clock: over.clock, log, holder: 'me', random: () => 0 });
  const provider: ModelProvider = {
    limits: LIMITS,
    price: () => 0,
    generate: () => {
      asked += 1;
      return generate(asked);
    },
  };
  const world = await open({
    root: agent('root', { role: 'root' }),
    script: () => 'unused',
    leaseMs: 24 * 3_600_000,
    facilities: () => ({ provider: async () => provider, limiter }),
    ...over,
    env: { KIT_MODEL_RETRIES: 3, KIT_OUTAGE_PATIENCE_S: 900, ...over.env },
  });
  return { world, limiter, asked: () => asked };
}

describe('a run whose provider refuses for a while', () => {
  it('waits for the pause that it asks for within the call when it is short', async () => {
    const { world, asked } = await limited(async (n) => (n === 1 ? refused(4_000) : fine), { clock: quickClock(100) });

    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed', output: 'fine' } });
    expect(asked()).toBe(2);
    expect(payloadsOf(await world.events(), 'model.called')).toMatchObject([{ status: 'ok', retries: 1 }]);
  });

  it('lets go of its slot when the pause is long, without asking again', async () => {
    const { world, asked } = await limited(async (n) => (n === 1 ? refused(120_000) : fine), {
      clock: quickClock(100),
    });

    expect(await world.run()).toMatchObject({ kind: 'waiting' });
    expect(asked()).toBe(1);
    expect(payloadsOf(await world.events(), 'step.waiting')).toMatchObject([{ reason: 'provider.rate_limited' }]);
  });

  it('fails by the rules of an outage when its key stays cut off, and nothing is paid twice', async () => {
    const tools = { requires: {}, children: [agent('helper')] };
    const { world } = await limited(
      async (n) =>
        n === 1
          ? {
              ok: true,
              response: {
                ...answerOf(fine),
                parts: [call('delegate_to_helper', { task: 'help' })],
                finish: 'tool_calls',
              },
            }
          : refused(null),
      { clock: quickClock(500), root: agent('root', { role: 'root', ...tools }), env: { KIT_OUTAGE_PATIENCE_S: 12 } },
    );

    expect(await world.run({ rests: true })).toMatchObject({
      kind: 'ended',
      end: { status: 'failed', reason: 'provider.rate_limited' },
    });
    const events = await world.events();
    expect(payloadsOf(events, 'model.called').filter(({ status }) => status === 'ok')).toHaveLength(1);
    expect(payloadsOf(events, 'step.repeated')).toEqual([]);
  });
});

const answerOf = (result: ModelResult) => {
  if (!result.ok) throw new Error('there is no answer');
  return result.response;
};

describe('a call that waits for its provider', () => {
  /** Two children; the first one's call is held, so that the second one's waits. */
  async function waiting() {
    const clock = new FakeClock();
    const held = Promise.withResolvers<ModelResult>();
    const asked = Promise.withResolvers<void>();
    let isBroken = false;
    const {
      world,
      limiter,
      asked: count,
    } = await limited(
      async (n) => {
        if (n === 1)
          return {
            ok: true,
            response: {
              ...answerOf(fine),
              parts: ['one', 'two'].map((id) => call(`delegate_to_${id}`, { task: 'help' }, id)),
              finish: 'tool_calls',
            },
          };
        if (n > 2) return fine;
        asked.resolve();
        return held.promise;
      },
      {
        clock,
        root: agent('root', { role: 'root', children: [agent('one'), agent('two')] }),
        wrap: (stores) =>
          committing(stores, (fence, writes) =>
            isBroken
              ? Promise.reject(new KitError('KIT_STORE_BUSY', 'the disk is full'))
              : stores.runs.commit(fence, writes),
          ),
      },
    );
    const stop = new AbortController();
    const over = world.run({ stop: stop.signal });
    await asked.promise;
    const reported = async (type: 'step.waiting' | 'step.admitted') => payloadsOf(await world.events(), type);
    while (clock.sleeping < 3) await turn();
    const breakStore = (): void => {
      isBroken = true;
    };
    return { world, limiter, clock, held, over, told: reported, count, stop, breakStore };
  }

  it('says so after a moment, and again when it is sent', async () => {
    const { clock, held, over, told: reported, count } = await waiting();
    expect(await reported('step.waiting')).toEqual([]);
    while ((await reported('step.waiting')).length === 0) await clock.advance(500);
    expect(await reported('step.waiting')).toMatchObject([{ reason: 'limit.in_flight', tries: 1, until: null }]);
    expect(await reported('step.admitted')).toEqual([]);
    expect(count()).toBe(2);
    held.resolve(fine);
    expect(await over).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect(await reported('step.admitted')).toMatchObject([{ waited_ms: expect.any(Number) }]);
    expect(count()).toBe(4);
  });

  it('ends its wait when a person stops the run, and is not sent', async () => {
    const { world, over, count, stop } = await waiting();

    await world.requestStop();
    stop.abort('asked');
    await over;

    expect(await world.row()).toMatchObject({ status: 'stopped', reason: 'stop_requested' });
    expect(count()).toBe(2);
  });

  it.each(['before it says so', 'while it is admitted'])(
    'leaves its place to others when its run loses its store %s',
    async (when) => {
      const { clock, held, over, world, breakStore, limiter, told: reported } = await waiting();
      while (when === 'while it is admitted' && (await reported('step.waiting')).length === 0) await clock.advance(500);
      breakStore();
      if (when === 'before it says so') await clock.advance(2_000);
      held.resolve(fine);
      expect(await over).toMatchObject({ kind: 'lost' });
      expect(await world.row()).toMatchObject({ status: 'running' });

      const signal = AbortSignal.timeout(5_000);
      const next = limiter.permit({ limits: LIMITS, signal, longestClosedMs: 0 });

      await expect(next).resolves.toHaveProperty('end');
    },
  );
});
