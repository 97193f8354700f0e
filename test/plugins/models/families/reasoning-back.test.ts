import { afterEach, describe, expect, test } from 'vitest';
import { wantsReasoningBack } from '../../../support/components/provider-servers/personalities.js';
import type { ScriptedAnswer } from '../../../support/components/provider-servers/protocol.js';
import { type ProviderServer, startProviderServer } from '../../../support/components/provider-servers/server.js';
import { agent, commandSkill, openWorld } from '../../../support/run-world.js';
import { callOptions, familyProvider, good, message, request, tool, user } from '../helpers.js';
import { bundledConfig, contributionOf, FAMILIES, KEY, KEY_VARIABLE } from './family-cases.js';

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
  closing = [];
});

type Says = Parameters<typeof wantsReasoningBack>[0];

const OBJECT = {
  type: 'object',
  additionalProperties: false,
  required: ['n'],
  properties: { n: { type: 'number' } },
};
const look = (id: string): ScriptedAnswer => ({ calls: [{ id, name: 'look', arguments: { input: 'it' } }] });
const says = (id: string, n: unknown): ScriptedAnswer => ({ calls: [{ id, name: 'answer', arguments: { n } }] });

const SCENES: readonly {
  readonly name: string;
  readonly schema: boolean;
  readonly answers: readonly ScriptedAnswer[];
}[] = [
  { name: 'a tool agent', schema: false, answers: [look('1'), look('2'), { text: 'seven' }] },
  { name: 'text beside a call', schema: false, answers: [{ text: 'I look.', ...look('1') }, { text: 'seven' }] },
  { name: 'a schema', schema: true, answers: [look('1'), says('2', 7)] },
  {
    name: 'an answer that is corrected',
    schema: true,
    answers: [look('1'), { text: 'It is seven.' }, says('2', 'seven'), says('3', 7)],
  },
  {
    name: 'an answer that is cut off and goes on',
    schema: false,
    answers: [look('1'), { text: 'se', finish: 'length' }, { text: 'ven' }],
  },
];

async function opened(id: string, thinks: Says): Promise<ProviderServer> {
  const family = FAMILIES.find((one) => one.id === id);
  if (family === undefined) throw new Error(`no case for ${id}`);
  const server = await startProviderServer(family.protocol, undefined, { personalities: [wantsReasoningBack(thinks)] });
  closing.push(() => server.close());
  return server;
}

const providerAt = (id: string, server: ProviderServer) =>
  familyProvider(contributionOf(id), bundledConfig(id, server.url), { env: { [KEY_VARIABLE]: KEY } });

describe.each([
  { id: 'together', thinks: 'reasoning_content' },
  { id: 'openrouter', thinks: 'reasoning_details' },
] as const)('a model of $id that wants its $thinks back', ({ id, thinks }) => {
  test.each(SCENES)('gets it in each turn: $name', async ({ schema, answers }) => {
    const server = await opened(id, thinks);
    server.script(...answers.map((one) => ({ do: 'answer', ...one }) as const));
    const provider = await providerAt(id, server);
    const world = await openWorld({
      root: agent('root', { role: 'root', skills: ['look'], outputSchema: schema ? OBJECT : null }),
      skills: [commandSkill('look', ['echo', 'seen'])],
      script: () => 'nobody asks the script',
      facilities: () => ({ provider: async () => provider }),
    });
    closing.push(world.close);

    await world.run();

    expect(server.problems).toEqual([]);
    expect(await world.row()).toMatchObject({ status: 'completed', output: schema ? '{"n":7}' : 'seven' });
    expect(server.requests).toHaveLength(answers.length);
    const back = server.requests
      .at(-1)
      ?.body.messages.filter(({ role }: { role: string }) => role === 'assistant')
      .map((one: Record<string, unknown>) => one[thinks]);
    const text = (at: number) => `Thought number ${at + 1}.`;
    const expected = answers
      .slice(0, -1)
      .map((_, at) =>
        thinks === 'reasoning_content'
          ? text(at)
          : [{ type: 'reasoning.text', text: text(at), signature: `signed ${at + 1}`, format: 'test', index: 0 }],
      );
    expect(back).toEqual(expected);
  });

  test('gets the same whether an answer is streamed or whole', async () => {
    const server = await opened(id, thinks);
    const provider = await providerAt(id, server);
    const states: unknown[] = [];
    for (const options of [callOptions(), callOptions({ onText: () => {} })]) {
      server.script({ do: 'answer', ...look('1') });
      const { parts } = good(await provider.generate(request({ tools: [tool('look')] }), options));
      states.push(JSON.parse(JSON.stringify(parts).replaceAll(/number \d|signed \d/g, 'N')));
      const next = [
        user('hello'),
        message('assistant', ...parts),
        message('tool', {
          type: 'tool_result',
          id: '1',
          name: 'look',
          output: 'seen',
          isError: false,
        }),
      ];
      good(await provider.generate(request({ messages: next, tools: [tool('look')] }), options));
    }

    expect(states[1]).toEqual(states[0]);
    expect(server.problems).toEqual([]);
  });
});

test('what a server calls `reasoning` alone goes nowhere: Groq refuses it', async () => {
  const family = FAMILIES.find((one) => one.id === 'groq');
  const server = await startProviderServer(family?.protocol ?? FAMILIES[0]!.protocol);
  closing.push(() => server.close());
  const provider = await providerAt('groq', server);
  server.script({ do: 'answer', ...look('1'), reasoning: { text: 'Hm.', signature: '', says: 'reasoning' } });

  const { parts } = good(await provider.generate(request({ tools: [tool('look')] }), callOptions()));

  expect(parts).toEqual([{ type: 'tool_call', id: '1', name: 'look', input: { input: 'it' } }]);
});

test('a state without a word is not text for a service of another kind', async () => {
  const server = await startProviderServer(FAMILIES.find((one) => one.id === 'anthropic')!.protocol);
  closing.push(() => server.close());
  const provider = await providerAt('anthropic', server);
  const chat = { family: 'kit', message: { openaiCompatible: { reasoning_content: 'Hm.' } } };
  const talk = [
    user('hello'),
    message(
      'assistant',
      { type: 'text', text: '', state: chat },
      { type: 'tool_call', id: '1', name: 'look', input: {} },
    ),
    message('tool', { type: 'tool_result', id: '1', name: 'look', output: 'seen', isError: false }),
  ];

  good(await provider.generate(request({ messages: talk, tools: [tool('look')] }), callOptions()));

  expect(server.problems).toEqual([]);
  expect(JSON.stringify(server.requests[0]?.body)).not.toContain('Hm.');
});
