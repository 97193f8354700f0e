import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { ModelMessage, ModelRequest } from '../../../../src/domain/ports/model.js';
import { type ProviderServer, startProviderServer } from '../../../support/components/provider-servers/server.js';
import { callOptions, familyProvider, good, message, request, tool, user } from '../helpers.js';
import { bundledConfig, contributionOf, FAMILIES, KEY, KEY_VARIABLE } from './family-cases.js';

let servers: ProviderServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

/** One call of a bundled provider, and what the server saw and said of it. */
async function call(id: string, more: Partial<ModelRequest> = {}, config: JsonObject = {}) {
  const family = FAMILIES.find((one) => one.id === id);
  if (family === undefined) throw new Error(`no case for ${id}`);
  const server = await startProviderServer(family.protocol);
  servers.push(server);
  const provider = await familyProvider(
    contributionOf(id),
    { ...bundledConfig(id, server.url), ...config },
    { env: { [KEY_VARIABLE]: KEY } },
  );
  const ask = async (overrides: Partial<ModelRequest>, isStreamed = false) =>
    good(
      await provider.generate(
        request({ model: family.model, ...more, ...overrides }),
        callOptions(isStreamed ? { onText: () => {} } : {}),
      ),
    );
  return { server, ask, body: () => server.requests.at(-1)?.body };
}

const SCHEMA = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false };
const LIST = { type: 'array', items: { type: 'string' } };

describe('anthropic', () => {
  test('asks for as many tokens as the model can give, unless the agent says less', async () => {
    const { ask, body } = await call('anthropic');

    await ask({});
    expect(body().max_tokens).toBeGreaterThan(8192);
    await ask({ maxTokens: 77, temperature: 0.25 });
    expect(body()).toMatchObject({ max_tokens: 77, temperature: 0.25 });
  });

  test('gives a schema as a tool that has to be called', async () => {
    const { ask, body, server } = await call('anthropic');
    server.script({ do: 'answer', text: '{"n":1}' });

    expect((await ask({ outputSchema: SCHEMA })).parts).toEqual([{ type: 'text', text: '{"n":1}' }]);

    expect(body()).toMatchObject({ tools: [{ input_schema: SCHEMA }], tool_choice: { type: 'any' } });
  });

  test.each([
    { what: 'thinking is on', options: { thinking: { type: 'enabled', budget_tokens: 1024 } }, outputSchema: SCHEMA },
    { what: 'its root is not an object', options: {}, outputSchema: LIST },
  ])('asks for a schema in words when $what', async ({ options, outputSchema }) => {
    const { ask, body, server } = await call('anthropic');

    await ask({ outputSchema, options });

    expect(body().tools ?? []).toEqual([]);
    expect(JSON.stringify(body().system)).toContain('JSON Schema');
    expect(server.problems).toEqual([]);
  });

  test('puts options at the top level, last, and leaves out those of a local server', async () => {
    const { ask, body } = await call('anthropic');

    await ask({ options: { top_k: 4, max_tokens: 33, think: true, num_ctx: 4096, keep_alive: '5m' } });

    expect(body()).toMatchObject({ top_k: 4, max_tokens: 33 });
    expect(Object.keys(body())).not.toEqual(expect.arrayContaining(['think']));
    expect(JSON.stringify(body())).not.toMatch(/num_ctx|keep_alive/);
  });
});

describe('google', () => {
  test('puts temperature, limits and plain options into generationConfig, and keys of the request beside it', async () => {
    const { ask, body } = await call('google');

    await ask({
      temperature: 0.25,
      maxTokens: 77,
      options: { topK: 4, safetySettings: [], generationConfig: { seed: 5 } },
    });

    expect(body().generationConfig).toMatchObject({ temperature: 0.25, maxOutputTokens: 77, topK: 4, seed: 5 });
    expect(body().safetySettings).toEqual([]);
  });

  test('asks for a schema in the request', async () => {
    const { ask, body, server } = await call('google');
    server.script({ do: 'answer', text: '{"n":1}' });

    await ask({ outputSchema: SCHEMA });

    expect(body().generationConfig).toMatchObject({ responseMimeType: 'application/json' });
    expect(JSON.stringify(body().generationConfig)).toContain('"n"');
  });
});

describe('ollama', () => {
  test('puts settings where the server looks for them', async () => {
    const { ask, body } = await call('ollama');

    await ask({ temperature: 0.25, maxTokens: 77, options: { think: true, keep_alive: '5m', num_ctx: 4096 } });

    expect(body()).toMatchObject({
      think: true,
      keep_alive: '5m',
      options: { temperature: 0.25, num_predict: 77, num_ctx: 4096 },
    });
    expect(body()).not.toHaveProperty('num_ctx');
  });

  test.each([
    ['gemma3:4b', false],
    ['library/gemma3:4b', false],
    ['qwen3:4b', undefined],
  ])('asks %s to think: %s', async (model, think) => {
    const { ask, body } = await call('ollama');

    await ask({ model });

    expect(body().think).toBe(think);
  });

  test('gives a schema as the format', async () => {
    const { ask, body, server } = await call('ollama');
    server.script({ do: 'answer', text: '["a"]' });

    await ask({ outputSchema: LIST });

    expect(body().format).toEqual(LIST);
  });

  test.each(['', '/', '/api', '/v1/'])('finds its API behind an address that ends with "%s"', async (end) => {
    const { server } = await call('ollama');
    const provider = await familyProvider('ollama', bundledConfig('ollama', `${server.url}${end}`));

    good(await provider.generate(request(), callOptions()));

    expect(server.requests[0]?.path).toBe('/api/chat');
  });

  test('numbers the calls that have no id through the conversation', async () => {
    const { ask, server } = await call('ollama');
    const before: ModelMessage[] = [
      user('x'),
      message('assistant', { type: 'tool_call', id: 'call_0', name: 'one', input: {} }),
      message('tool', { type: 'tool_result', id: 'call_0', name: 'one', output: 'y', isError: false }),
    ];
    server.script({ do: 'answer', calls: [{ name: 'one', arguments: {} }] });

    expect((await ask({ messages: before })).parts).toEqual([
      { type: 'tool_call', id: 'call_1', name: 'one', input: {} },
    ]);
  });
});

describe('openai', () => {
  test('speaks Responses, stores nothing at the service, and sends limits under their names there', async () => {
    const { ask, body } = await call('openai');

    await ask({ maxTokens: 77, options: { reasoning: { effort: 'low' } } });

    expect(body()).toMatchObject({ store: false, max_output_tokens: 77, reasoning: { effort: 'low' } });
  });

  test('gives a schema strictly where the service can hold it strictly, and in words where its root is not an object', async () => {
    const { ask, body, server } = await call('openai');
    server.script({ do: 'answer', text: '{"n":1}' }, { do: 'answer', text: '{"n":1}' });

    await ask({ outputSchema: SCHEMA });
    expect(body().text.format).toMatchObject({ type: 'json_schema', strict: true });
    await ask({ outputSchema: { ...SCHEMA, required: [] } });
    expect(body().text.format).toMatchObject({ type: 'json_schema', strict: false });
    await ask({ outputSchema: LIST });
    expect(body().text?.format).toBeUndefined();
    expect(JSON.stringify(body().input)).toContain('JSON Schema');
  });
});

describe('an option that only Ollama knows', () => {
  test.each(['groq', 'openai', 'anthropic', 'google'])('does not reach %s', async (id) => {
    const { ask, body, server } = await call(id);

    await ask({ options: { think: false, keep_alive: '5m', num_ctx: 4096 } });

    expect(JSON.stringify(body())).not.toMatch(/think|keep_alive|num_ctx/);
    expect(server.problems).toEqual([]);
  });
});

describe('openrouter', () => {
  test('asks for the cost of each call', async () => {
    const { ask, body } = await call('openrouter');

    await ask({});

    expect(body().usage).toEqual({ include: true });
  });
});

describe.each([
  { id: 'anthropic', model: 'claude-sonnet-4-5' },
  { id: 'google', model: 'gemini-3-pro-preview' },
  { id: 'openai', model: 'gpt-5-mini' },
])('what $id thought before a tool call', ({ id, model }) => {
  const REASONING = { text: 'a thought of several pieces', signature: 'signed-by-the-service' };
  const SCRIPT = {
    do: 'answer',
    reasoning: REASONING,
    calls: [{ id: 'c1', name: 'one', arguments: { task: 'x' } }],
  } as const;
  const goOn = (assistant: ModelMessage): readonly ModelMessage[] => [
    user('look'),
    assistant,
    message('tool', { type: 'tool_result', id: 'c1', name: 'one', output: 'found', isError: false }),
  ];

  test.each([{ isStreamed: false }, { isStreamed: true }])(
    'goes back with the call, signed (streamed: $isStreamed)',
    async ({ isStreamed }) => {
      const { ask, body, server } = await call(id, { model });
      server.script(SCRIPT);

      const first = await ask({}, isStreamed);
      // Through JSON, as the journal keeps it.
      const kept = JSON.parse(JSON.stringify(first.parts));
      await ask({ messages: goOn({ role: 'assistant', parts: kept }), tools: [tool('one')] });

      expect(JSON.stringify(body())).toContain('signed-by-the-service');
      expect(server.problems).toEqual([]);
    },
  );

  test('is not part of the answer, and is not kept where no call needs it', async () => {
    const { ask, server } = await call(id, { model });
    server.script({ do: 'answer', reasoning: REASONING, text: 'the answer' });

    expect((await ask({}, true)).parts).toEqual([{ type: 'text', text: 'the answer' }]);
  });

  test('is not given to another service', async () => {
    const { ask, server } = await call(id, { model });
    server.script(SCRIPT);
    const first = await ask({});
    const other = await call('groq');

    await other.ask({ messages: goOn({ role: 'assistant', parts: first.parts }) });

    expect(JSON.stringify(other.body())).not.toMatch(/signed-by-the-service|several pieces/);
    expect(other.server.problems).toEqual([]);
  });
});
