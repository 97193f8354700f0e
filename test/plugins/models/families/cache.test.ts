import { afterEach, describe, expect, test } from 'vitest';
import { toUsage } from '../../../../plugins/models/src/wire/collect.js';
import type { ModelMessage, ToolSpec } from '../../../../src/domain/ports/model.js';
import { type ProviderServer, startProviderServer } from '../../../support/components/provider-servers/server.js';
import { callOptions, familyProvider, good, message, request, user } from '../helpers.js';
import { bundledConfig, contributionOf, FAMILIES, KEY, KEY_VARIABLE } from './family-cases.js';

let servers: ProviderServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

const tool = (name: string): ToolSpec => ({ name, description: `Runs ${name}.`, inputSchema: { type: 'object' } });
const SYSTEM: ModelMessage = { role: 'system', parts: [{ type: 'text', text: 'You look things up.' }] };
/** A conversation of so many turns with a tool. */
const turns = (count: number): readonly ModelMessage[] => [
  SYSTEM,
  user('Look it up.'),
  ...Array.from({ length: count }, (_, turn): readonly ModelMessage[] => [
    message('assistant', { type: 'tool_call', id: `c${turn}`, name: 'look', input: {} }),
    message('tool', { type: 'tool_result', id: `c${turn}`, name: 'look', output: `page ${turn}`, isError: false }),
  ]).flat(),
];

async function opened(id: string) {
  const family = FAMILIES.find((one) => one.id === id);
  if (family === undefined) throw new Error(`no case for ${id}`);
  const server = await startProviderServer(family.protocol);
  servers.push(server);
  const config = bundledConfig(id, server.url);
  const provider = await familyProvider(contributionOf(id), config, { env: { [KEY_VARIABLE]: KEY } });
  const ask = async (messages: readonly ModelMessage[], tools: readonly ToolSpec[]) => {
    good(await provider.generate(request({ model: family.model, messages, tools }), callOptions({ onText: () => {} })));
    return server.requests.at(-1)?.body;
  };
  return { provider, ask };
}

/** The same body without its marks, which are not part of what is cached. */
const unmarked = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === 'cache_control' ? undefined : member)));
const POINT = { type: 'ephemeral' };

describe('a conversation with tools', () => {
  test('is cached by anthropic after the tools, the system text and the newest message', async () => {
    const { ask } = await opened('anthropic');

    const body = await ask(turns(2), [tool('find'), tool('look')]);

    expect(body.tools.map((one: { cache_control?: unknown }) => one.cache_control)).toEqual([undefined, POINT]);
    expect(body.system.at(-1).cache_control).toEqual(POINT);
    expect(body.messages.at(-1).content.at(-1).cache_control).toEqual(POINT);
    expect(JSON.stringify(body).split('"cache_control"')).toHaveLength(4);
    expect(JSON.stringify(body)).not.toContain('eager_input_streaming');
  });

  test('begins at anthropic with what the turn before it was', async () => {
    const { ask } = await opened('anthropic');
    const tools = [tool('look')];
    const first = await ask(turns(1), tools);
    const second = await ask(turns(2), tools);

    expect(unmarked(second.tools)).toEqual(unmarked(first.tools));
    expect(unmarked(second.system)).toEqual(unmarked(first.system));
    expect(unmarked(second.messages.slice(0, first.messages.length))).toEqual(unmarked(first.messages));
  });

  test('has one name at openai in all its turns, and another one with other tools', async () => {
    const { ask } = await opened('openai');
    const keys = [
      (await ask(turns(1), [tool('look')])).prompt_cache_key,
      (await ask(turns(3), [tool('look')])).prompt_cache_key,
      (await ask(turns(1), [tool('find')])).prompt_cache_key,
    ];

    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });
});

test.each(['anthropic', 'openai'])(
  'a question without tools is asked of %s once, and written to no cache',
  async (id) => {
    const { ask } = await opened(id);

    const body = await ask([SYSTEM, user('What is it?')], []);

    expect(JSON.stringify(body)).not.toContain('cache_control');
    expect(body.prompt_cache_key).toBeUndefined();
  },
);

test('tokens that were written to a cache have a price of their own', async () => {
  const usage = toUsage({
    inputTokens: { total: 10_000, noCache: 0, cacheRead: 8000, cacheWrite: 2000 },
    outputTokens: { total: 0, text: 0, reasoning: undefined },
    raw: {},
  });
  const provider = await familyProvider('anthropic', { base_url: 'https://api.anthropic.com/v1' });

  expect(usage).toMatchObject({ inputTokens: 10_000, cachedInputTokens: 8000, cacheWriteTokens: 2000 });
  // $3 a million: 8,000 read at a tenth, 2,000 written at five quarters.
  expect(provider.price('claude-sonnet-4-5', usage)).toBeCloseTo(0.0099, 9);
});
