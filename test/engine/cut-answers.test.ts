import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/domain/json.js';
import type { MessagePart, ModelRequest, ModelResult } from '../../src/domain/ports/model.js';
import { createTestContext } from '../../src/sdk/testing.js';
import { createClock } from '../../src/system/clock.js';
import { bundledConfig, contributionOf, FAMILIES, KEY, KEY_VARIABLE } from '../plugins/models/families/family-cases.js';
import { startProviderServer } from '../support/components/provider-servers/server.js';
import { agent, call, commandSkill, type WorldOptions } from '../support/run-world.js';
import { failedSteps, lawfulWorlds, payloadsOf } from './laws.js';

const open = lawfulWorlds();
const USAGE = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0.001 };

const cut = (...parts: readonly (MessagePart | string)[]): ModelResult => ({
  ok: true,
  response: {
    parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
    finish: 'length',
    usage: USAGE,
    model: 'fake-1',
  },
});

type Answer = ModelResult | string | readonly MessagePart[];

/** Runs one agent whose model gives these answers, one a request, and keeps the requests. */
async function run(answers: readonly Answer[], over: Partial<WorldOptions> = {}) {
  const requests: ModelRequest[] = [];
  const world = await open({
    root: agent('root', { role: 'root' }),
    script: ({ request }) => {
      requests.push(request);
      return answers[requests.length - 1] ?? 'the end';
    },
    ...over,
  });
  await world.run();
  return { world, requests, row: await world.row() };
}

const lastText = ({ messages }: ModelRequest): string => {
  const part = messages.at(-1)?.parts[0];
  return part?.type === 'text' ? part.text : '';
};

describe('an answer that the output limit cuts off', () => {
  it('is asked to go on, and is one text for whoever reads it', async () => {
    const { world, requests, row } = await run([cut('The three causes are: 1. '), 'rain, 2. wind, 3. snow']);

    expect(row).toMatchObject({ status: 'completed', output: 'The three causes are: 1. rain, 2. wind, 3. snow' });
    expect(requests).toHaveLength(2);
    expect(requests[1]?.messages.slice(0, -2)).toEqual(requests[0]?.messages);
    expect(lastText(requests[1] as ModelRequest)).toContain('cut off at the output limit');
    const called = payloadsOf(await world.events(), 'model.called');
    expect(called.map(({ purpose, finish }) => [purpose, finish])).toEqual([
      ['turn', 'length'],
      ['continuation', 'stop'],
    ]);
    const rows = await world.stores.runs.load(world.job.id);
    expect(rows.map(({ key }) => key)).toEqual(['root', 'root/d0/t0', 'root/d0/t0/more1']);
  });

  it('goes on twice, and is then no answer', async () => {
    const { world, requests, row } = await run([cut('a'), cut('b'), cut('c'), 'd']);

    expect(row).toMatchObject({ status: 'failed', reason: 'truncated', output: null });
    expect(row.error).toContain('cut off at the output limit 3 times');
    expect(requests).toHaveLength(3);
    expect((await failedSteps(world))['root/d0/t0/more2']).toBe('truncated');
    expect(payloadsOf(await world.events(), 'model.called').at(-1)).toMatchObject({
      status: 'failed',
      reason: 'truncated',
      finish: 'length',
      output_tokens: 5,
    });
  });

  it('is not an answer when it goes on with nothing', async () => {
    const { requests, row } = await run([cut('a'), cut(''), 'late']);

    expect(row).toMatchObject({ status: 'failed', reason: 'truncated' });
    expect(row.error).toContain('cut off at the output limit 2 times');
    expect(requests).toHaveLength(2);
  });

  it('is not an answer when the limit was used up before its first word', async () => {
    const { requests, row } = await run([cut(''), 'late']);

    expect(row).toMatchObject({ status: 'failed', reason: 'truncated' });
    expect(row.error).toContain('used up before the answer began');
    expect(requests).toHaveLength(1);
  });

  it('goes on with a call, which is carried out', async () => {
    const { requests, row } = await run([cut('I will look'), [call('look', {})], 'seen'], {
      root: agent('root', { role: 'root', skills: ['look'] }),
      skills: [commandSkill('look', ['true'])],
    });

    expect(row).toMatchObject({ status: 'completed', output: 'seen' });
    expect(requests).toHaveLength(3);
    expect(requests[1]?.tools).toEqual(requests[0]?.tools);
  });

  it('is held to its schema as a whole, without a correction', async () => {
    const outputSchema = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
    const { world, requests, row } = await run([cut('{"a": "one'), ' two"}'], {
      root: agent('root', { role: 'root', outputSchema }),
    });

    expect(row).toMatchObject({ status: 'completed', output: '{"a":"one two"}' });
    expect(requests.map((one) => one.outputSchema === null)).toEqual([false, true]);
    expect(payloadsOf(await world.events(), 'output.validated')).toEqual([{ attempt: 0, valid: true }]);
  });

  it('was an answer in a run that began before', async () => {
    const { requests, row } = await run([cut('The first cause is that the')], { snapshot: { ruleSet: 1 } });

    expect(row).toMatchObject({ status: 'completed', output: 'The first cause is that the' });
    expect(requests).toHaveLength(1);
  });

  it.each(FAMILIES)('of $id never ends a run that completes', async (family) => {
    const { length } = family.finishes;
    const server = await startProviderServer(family.protocol);
    try {
      const text = 'The first cause is that the';
      server.script(...[1, 2, 3].map(() => ({ do: 'answer', text, finish: length }) as const));
      const { contribution } = await import(
        `../../plugins/models/src/${contributionOf(family.id).split('.').at(-1)}.ts`
      );
      const context = createTestContext({
        ...{ fetch: globalThis.fetch, clock: createClock(), env: { [KEY_VARIABLE]: KEY } },
      });
      const provider = await contribution.create(bundledConfig(family.id, server.url), context);

      const { row } = await run([], { facilities: () => ({ provider: async () => provider }) });

      expect(row).toMatchObject({ status: 'failed', reason: 'truncated' });
      expect(server.requests).toHaveLength(3);
    } finally {
      await server.close();
    }
  });
});

describe('a call that the output limit cuts off', () => {
  const half = { __invalid: '{"path": "a/b' };
  const withTool = {
    root: agent('root', { role: 'root', skills: ['look'] }),
    skills: [commandSkill('look', ['true'])],
  };

  it('is told so, and its text is not sent back', async () => {
    const { requests, row } = await run([cut(call('look', half)), [call('look', {})], 'seen'], withTool);

    expect(row).toMatchObject({ status: 'completed', output: 'seen' });
    const [said, answered] = requests[1]?.messages.slice(-2) ?? [];
    expect(said?.parts[0]).toMatchObject({ type: 'tool_call', input: {} });
    expect(JSON.stringify(answered)).toContain('the output limit cut these arguments off after 13 characters');
    expect(JSON.stringify(requests)).not.toContain('__invalid');
  });

  it('ends the agent when the next turn is cut off as well', async () => {
    const { requests, row } = await run([cut(call('look', half)), cut(call('look', { __invalid: '{"pa' }))], withTool);

    expect(row).toMatchObject({ status: 'failed', reason: 'truncated' });
    expect(requests).toHaveLength(2);
  });

  it.each([
    { name: 'cannot be read', input: half as Json },
    { name: 'do not fit the tool', input: { input: 7 } as Json },
  ])('ends the agent when equal arguments come for the third time that $name', async ({ input }) => {
    const skills = [
      { ...commandSkill('look', ['true']), inputs: { type: 'object', properties: { input: { type: 'string' } } } },
    ];
    const again = [call('look', input)];
    const { requests, row } = await run([again, again, again, again], { ...withTool, skills });

    expect(row).toMatchObject({ status: 'failed', reason: 'invalid_calls' });
    expect(requests).toHaveLength(3);
  });

  it('goes on to be asked for other arguments', async () => {
    const other = (n: number): readonly MessagePart[] => [call('look', { __invalid: `{${n}` })];
    const { requests, row } = await run([other(1), other(1), other(2), other(1), 'done'], withTool);

    expect(row).toMatchObject({ status: 'completed', output: 'done' });
    expect(requests).toHaveLength(5);
  });
});
