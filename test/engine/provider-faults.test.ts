import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contribution } from '../../plugins/models/src/openai-compatible.js';
import type { ModelProvider } from '../../src/domain/ports/model.js';
import type { Clock } from '../../src/domain/ports/system.js';
import { createTestContext } from '../../src/sdk/testing.js';
import { createClock } from '../../src/system/clock.js';
import { type ModelServer, type Reply, startModelServer } from '../support/model-server.js';
import { agent, commandSkill, type World, type WorldOptions } from '../support/run-world.js';
import { failedSteps, lawfulWorlds, payloadsOf } from './laws.js';

const open = lawfulWorlds();
let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

/** Waits a hundredth of the time, and tells for how long it was asked to. */
function hastyClock(factor = 100): Clock & { readonly asked: readonly number[] } {
  const clock = createClock();
  const asked: number[] = [];
  return {
    asked,
    now: () => clock.now(),
    sleep: (ms, signal) => {
      asked.push(ms);
      return clock.sleep(ms / factor, signal);
    },
  };
}

const openai = (url: string): Promise<ModelProvider> | ModelProvider =>
  contribution.create(
    { base_url: url, api_key_env: 'KEY' },
    createTestContext({ fetch: globalThis.fetch, clock: createClock(), env: { KEY: 'sk-test-0123456789' } }),
  );

interface Fault {
  readonly name: string;
  readonly replies: readonly Reply[];
  readonly env?: WorldOptions['env'];
  readonly requests: number;
  readonly reason: string | null;
}

/** A wait that the retries ask for: no look for a stop, no heartbeat, no time of a call (60 s). */
const waitsOf = (asked: readonly number[]): readonly number[] =>
  asked.filter((ms) => ms !== 1_000 && ms !== 20_000 && ms < 50_000);

async function run(
  options: Partial<WorldOptions> = {},
  url = server.url,
): Promise<{ readonly world: World; readonly clock: ReturnType<typeof hastyClock> }> {
  const clock = hastyClock();
  const world = await open({
    root: agent('root', { role: 'root' }),
    script: () => 'unused',
    clock,
    facilities: () => ({ provider: async () => openai(url) }),
    ...options,
    env: { KIT_MODEL_RETRIES: 2, ...options.env },
  });
  await world.run();
  return { world, clock };
}

const again = <T>(times: number, value: T): readonly T[] => Array.from({ length: times }, () => value);
const good: Reply = { do: 'answer', text: 'fine' };

describe('a fault of the provider', () => {
  const faults: readonly Fault[] = [
    { name: '500 once', replies: [{ do: 'status', status: 500 }, good], requests: 2, reason: null },
    { name: '500 for ever', replies: again(9, { do: 'status', status: 500 }), requests: 3, reason: 'provider.server' },
    { name: '503 once', replies: [{ do: 'status', status: 503 }, good], requests: 2, reason: null },
    {
      name: '503 for ever',
      replies: again(9, { do: 'status', status: 503 }),
      requests: 3,
      reason: 'provider.overloaded',
    },
    {
      name: '429 for ever',
      replies: again(9, { do: 'status', status: 429, headers: { 'retry-after': '1' } }),
      requests: 3,
      reason: 'provider.rate_limited',
    },
    {
      name: 'a stream reset once',
      replies: [{ do: 'cut', text: 'the beginning', how: 'reset' }, good],
      requests: 2,
      reason: null,
    },
    {
      name: 'a stream reset for ever',
      replies: again(9, { do: 'cut', text: 'the beginning', how: 'reset' }),
      requests: 3,
      reason: 'provider.cut_stream',
    },
    {
      name: 'a stream ended politely',
      replies: again(9, { do: 'cut', text: 'the beginning', how: 'end' }),
      requests: 3,
      reason: 'provider.cut_stream',
    },
    { name: 'malformed JSON once', replies: [{ do: 'malformed' }, good], requests: 2, reason: null },
    {
      name: 'malformed JSON for ever',
      replies: again(9, { do: 'malformed' }),
      requests: 3,
      reason: 'provider.malformed',
    },
    { name: '401', replies: [{ do: 'status', status: 401 }, good], requests: 1, reason: 'provider.auth' },
    { name: '400', replies: [{ do: 'status', status: 400 }, good], requests: 1, reason: 'provider.bad_request' },
    {
      name: '429 that asks for an hour',
      replies: [{ do: 'status', status: 429, headers: { 'retry-after': '3600' } }, good],
      requests: 1,
      reason: 'provider.rate_limited',
    },
    {
      name: 'no retries allowed',
      env: { KIT_MODEL_RETRIES: 0 },
      replies: [{ do: 'status', status: 500 }, good],
      requests: 1,
      reason: 'provider.server',
    },
    { name: 'an empty answer, then one', replies: [{ do: 'answer' }, good], requests: 2, reason: null },
    { name: 'empty answers', replies: again(9, { do: 'answer', text: '' }), requests: 3, reason: 'empty_answer' },
    {
      name: 'blank answers without retries',
      env: { KIT_AGENT_RETRIES: 0 },
      replies: again(9, { do: 'answer', text: ' \n' }),
      requests: 1,
      reason: 'empty_answer',
    },
    {
      name: 'a withheld answer',
      replies: [{ do: 'answer', text: '', finish: 'content_filter' }, good],
      requests: 1,
      reason: 'provider.content_filter',
    },
    {
      name: 'an answer withheld half-way',
      replies: [{ do: 'answer', text: 'Half of it', finish: 'content_filter' }, good],
      requests: 1,
      reason: 'provider.content_filter',
    },
  ];

  it.each(faults)('$name: $requests requests, reason $reason', async ({ replies, env, requests, reason }) => {
    server.script(...replies);

    const { world } = await run(env === undefined ? {} : { env });

    const row = await world.row();
    expect(row).toMatchObject(
      reason === null
        ? { status: 'completed', reason: null, output: 'fine' }
        : { status: 'failed', reason, output: null },
    );
    expect(server.requests).toHaveLength(requests);
    const [last] = payloadsOf(await world.events(), 'model.called').slice(-1);
    const isModelFault = reason === null || reason.startsWith('provider.');
    expect(last).toMatchObject(isModelFault ? { status: reason === null ? 'ok' : 'failed', reason } : { status: 'ok' });
    if (reason?.startsWith('provider.')) expect((await failedSteps(world))['root/d0/t0']).toBe(reason);
  });

  it('sends one Idempotency-Key over all retries of a call, and another for the next call', async () => {
    server.script({ do: 'status', status: 500 }, { do: 'malformed' }, { do: 'answer', text: '' }, good);

    const { world } = await run();

    expect((await world.row()).status).toBe('completed');
    const keys = server.requests.map((request) => request.headers['idempotency-key']);
    expect(keys).toHaveLength(4);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
    const rows = await world.stores.runs.load(world.job.id);
    expect(keys[0]).toBe(rows.find((row) => row.key === 'root/d0/t0')?.stepId);
  });

  it('waits at least as long as Retry-After asks, and twice as long each time otherwise', async () => {
    server.script({ do: 'status', status: 429, headers: { 'retry-after': '7' } }, { do: 'status', status: 500 }, good);

    const { world, clock } = await run();

    const [first, second, ...more] = waitsOf(clock.asked);
    expect((await world.row()).status).toBe('completed');
    expect(first).toBe(7000);
    expect(second).toBeGreaterThanOrEqual(2000);
    expect(second).toBeLessThan(3000);
    expect(more).toEqual([]);
    expect(payloadsOf(await world.events(), 'model.called')).toMatchObject([{ retries: 2, status: 'ok' }]);
  });

  it.each([
    { name: 'never says a word', reply: { do: 'silence' } as const },
    { name: 'stops in the middle', reply: { do: 'stall', text: 'so far' } as const },
  ])('is a timeout after KIT_MODEL_TIMEOUT when the server $name', async ({ reply }) => {
    server.script(...again(9, reply));

    const { world } = await run({ clock: hastyClock(8), env: { KIT_MODEL_TIMEOUT: 2, KIT_MODEL_RETRIES: 1 } });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'provider.timeout' });
    expect(server.requests).toHaveLength(2);
  });

  it('is a network failure when nobody listens', async () => {
    const { url } = server;
    await server.close();

    const { world } = await run({}, url);
    server = await startModelServer();

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'provider.network' });
    expect(payloadsOf(await world.events(), 'model.called')).toMatchObject([{ retries: 2 }]);
  });

  it('keeps the failure of a child out of every request and out of the output', async () => {
    server.script(
      { do: 'answer', calls: [{ name: 'delegate_to_child', arguments: { task: 'look' } }] },
      ...again(9, { do: 'status', status: 500, message: 'telltale words of the server' } as const),
    );

    const { world } = await run({ root: agent('root', { role: 'root', children: [agent('child')] }) });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'provider.server', output: null });
    expect((await world.row()).error).toContain('telltale words');
    expect(server.requests).toHaveLength(4);
    expect(JSON.stringify(server.requests.map((request) => request.body))).not.toContain('telltale');
  });
});

describe('what a model asks for', () => {
  it.each([
    {
      name: 'arguments that are not JSON',
      call: { name: 'look', arguments: '{"input": "x' },
      reason: 'invalid_arguments',
      event: 'tool.refused' as const,
    },
    {
      name: 'arguments that are a list',
      call: { name: 'look', arguments: '["x"]' },
      reason: 'invalid_arguments',
      event: 'tool.refused' as const,
    },
    {
      name: 'arguments that do not fit the schema',
      call: { name: 'look', arguments: { input: 5 } },
      reason: 'invalid_arguments',
      event: 'skill.executed' as const,
    },
    {
      name: 'an unknown tool',
      call: { name: 'fly', arguments: {} },
      reason: 'unknown_tool',
      event: 'skill.gap' as const,
    },
    {
      name: 'an unknown child',
      call: { name: 'delegate_to_nobody', arguments: { task: 'x' } },
      reason: 'unknown_tool',
      event: 'skill.gap' as const,
    },
    {
      name: 'a child without a task',
      call: { name: 'delegate_to_child', arguments: { task: ' ' } },
      reason: 'invalid_arguments',
      event: 'tool.refused' as const,
    },
  ])('$name is answered as an error of that call, with its event and its row', async ({ call, reason, event }) => {
    server.script({ do: 'answer', calls: [call] }, good);
    const inputs = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

    const { world } = await run({
      root: agent('root', { role: 'root', skills: ['look'], children: [agent('child')] }),
      skills: [commandSkill('look', ['true'], { inputs })],
    });

    expect((await world.row()).status).toBe('completed');
    const results = server.requests[1]?.body.messages.filter((message: { role: string }) => message.role === 'tool');
    expect(results).toHaveLength(1);
    expect(results[0].content).toContain(reason);
    expect(payloadsOf(await world.events(), event)).toHaveLength(1);
    expect(Object.values(await failedSteps(world))).toEqual([reason]);
  });

  it('a tool where the agent has none is refused, and the agent is asked again', async () => {
    server.script({ do: 'answer', calls: [{ name: 'fly', arguments: {} }] }, good);

    const { world } = await run();

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'fine' });
    expect(payloadsOf(await world.events(), 'skill.gap')).toEqual([{ tool: 'fly', available: [] }]);
  });

  it('nothing but tools where the agent has none ends as an empty answer', async () => {
    server.script(...again(9, { do: 'answer', calls: [{ name: 'fly', arguments: {} }] } as const));

    const { world } = await run();

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'empty_answer' });
    expect(server.requests).toHaveLength(3);
  });

  it('text beside a tool call that was not on offer is judged by the schema all the same', async () => {
    server.script(
      { do: 'answer', text: 'no JSON', calls: [{ name: 'fly', arguments: {} }] },
      { do: 'answer', text: '{"n": 1}' },
    );
    const outputSchema = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };

    const { world } = await run({ root: agent('root', { role: 'root', outputSchema }) });

    expect(await world.row()).toMatchObject({ status: 'completed', output: '{"n":1}' });
    expect(server.requests).toHaveLength(2);
  });
});

describe('a provider plugin that misbehaves', () => {
  const answer = {
    ok: true,
    response: {
      parts: [{ type: 'text', text: 'x' }],
      finish: 'stop',
      usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0 },
      model: 'm',
    },
  } as const;
  const usage = answer.response.usage;

  it.each([
    {
      name: 'throws',
      generate: () => {
        throw new Error('bug in the plugin');
      },
    },
    {
      name: 'rejects',
      generate: async () => {
        throw new Error('bug in the plugin');
      },
    },
    { name: 'rejects with nothing', generate: () => Promise.reject(undefined) },
    { name: 'hands back nothing', generate: async () => undefined },
    { name: 'hands back an answer without parts', generate: async () => ({ ok: true, response: {} }) },
    {
      name: 'hands back a foreign part',
      generate: async () => ({ ok: true, response: { ...answer.response, parts: [{ type: 'image' }] } }),
    },
    ...['inputTokens', 'cacheWriteTokens'].map((count) => ({
      name: `counts ${count} with NaN`,
      generate: async () => ({
        ok: true,
        response: { ...answer.response, usage: { ...usage, [count]: Number.NaN } },
      }),
    })),
    {
      name: 'counts a cost of infinity',
      generate: async () => ({
        ok: true,
        response: { ...answer.response, usage: { ...usage, costUsd: Number.POSITIVE_INFINITY } },
      }),
    },
  ])('fails the run when it $name', async ({ generate }) => {
    let calls = 0;
    const provider = {
      price: () => 0,
      generate: (): never => {
        calls += 1;
        return generate() as never;
      },
    };

    const { world } = await run({ facilities: () => ({ provider: async () => provider }) });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'provider.malformed' });
    expect(calls).toBe(3);
    expect((await failedSteps(world))['root/d0/t0']).toBe('provider.malformed');
  });

  it('does not hold the run when it ignores the signal of a timeout', async () => {
    const provider = { price: () => 0, generate: () => new Promise<never>(() => {}) };

    const { world } = await run({
      clock: hastyClock(20),
      env: { KIT_MODEL_TIMEOUT: 1, KIT_MODEL_RETRIES: 0 },
      facilities: () => ({ provider: async () => provider }),
    });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'provider.timeout' });
  });

  it('records a provider that cannot be opened, by its code, and reports the step', async () => {
    const { KitError } = await import('../../src/domain/errors.js');
    const refuse = async (): Promise<never> => {
      throw new KitError('KIT_PROVIDER_KEY_MISSING', 'KEY is not set');
    };

    const { world } = await run({ facilities: () => ({ provider: refuse }) });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'KIT_PROVIDER_KEY_MISSING' });
    expect((await failedSteps(world))['root/d0/t0']).toBe('KIT_PROVIDER_KEY_MISSING');
  });
});
