import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ProviderServer, startProviderServer } from '../../../support/components/provider-servers/server.js';
import { callOptions, familyProvider, good, message, request, textOf, tool, user } from '../helpers.js';
import { bundledConfig, contributionOf, FAMILIES, KEY, KEY_VARIABLE } from './family-cases.js';

const PNG = 'iVBORw0KGgo=';
const CLOSED = {
  type: 'object',
  properties: { n: { type: 'integer', 'x-count': '$.a' } },
  required: ['n'],
  additionalProperties: false,
};

describe.each(FAMILIES)('$id', (family) => {
  let server: ProviderServer;
  beforeEach(async () => {
    server = await startProviderServer(family.protocol);
  });
  afterEach(async () => {
    const { problems } = server;
    await server.close();
    // The server refuses what breaks the wire format, and says in which way.
    expect(problems).toEqual([]);
  });

  const provider = () =>
    familyProvider(contributionOf(family.id), bundledConfig(family.id, server.url), { env: { [KEY_VARIABLE]: KEY } });
  const ask = (model = family.model) => request({ model });
  const body = () => server.requests.at(-1)?.body;

  describe.each([
    { way: 'whole', onText: undefined },
    { way: 'streamed', onText: () => {} },
  ])('an answer that comes $way', ({ onText }) => {
    const options = () => callOptions(onText === undefined ? {} : { onText });
    const generate = async (overrides = {}) =>
      good(await (await provider()).generate({ ...ask(), ...overrides }, options()));

    test('text, finish reason and the model that answered are read', async () => {
      server.script({ do: 'answer', text: 'Grüße, 世界 and all', model: 'model-2025' });

      expect(await generate()).toMatchObject({
        parts: [{ type: 'text', text: 'Grüße, 世界 and all' }],
        finish: 'stop',
        model: family.hasModel ? 'model-2025' : family.model,
      });
    });

    test('the finish reasons are told apart', async () => {
      server.script({ do: 'answer', text: 'cut sh', finish: family.finishes.length });
      expect((await generate()).finish).toBe('length');

      if (family.finishes.filter === null) return;
      server.script({ do: 'answer', text: 'I', finish: family.finishes.filter });
      expect((await generate()).finish).toBe('content_filter');
    });

    test('usage has cached and reasoning tokens, and the cost where the service reports it', async () => {
      const cost = family.hasCost ? { cost: 0.125 } : {};
      server.script({
        do: 'answer',
        text: 'x',
        usage: { prompt: 100, completion: 20, cached: 60, reasoning: 7, ...cost },
      });

      expect((await generate()).usage).toEqual({
        inputTokens: 100,
        outputTokens: 20,
        cachedInputTokens: family.hasCachedTokens ? 60 : 0,
        reasoningTokens: family.hasReasoningTokens ? 7 : 0,
        costUsd: family.hasCost ? 0.125 : null,
      });
    });

    test('several tool calls of one response come in order, beside the text', async () => {
      server.script({
        do: 'answer',
        text: 'both',
        calls: [
          { id: 'c1', name: 'search', arguments: { task: 'a long enough query' } },
          { id: 'c2', name: 'search', arguments: { task: 'b' } },
        ],
      });

      const response = await generate({ tools: [tool('search')] });

      expect(response.finish).toBe('tool_calls');
      expect(response.parts).toMatchObject([
        { type: 'text', text: 'both' },
        { type: 'tool_call', id: 'c1', name: 'search', input: { task: 'a long enough query' } },
        { type: 'tool_call', id: 'c2', name: 'search', input: { task: 'b' } },
      ]);
    });

    test('calls to which the service gives no id get ids that differ', async () => {
      server.script({
        do: 'answer',
        calls: [
          { name: 'search', arguments: { task: 'a' } },
          { name: 'search', arguments: { task: 'b' } },
        ],
      });

      const ids = (await generate({ tools: [tool('search')] })).parts.flatMap((part) =>
        part.type === 'tool_call' ? [part.id] : [],
      );

      expect(new Set(ids).size).toBe(2);
      expect(ids).not.toContain('');
    });

    // Anthropic sends arguments as text only inside a stream.
    if (family.hasTextArguments && (family.id !== 'anthropic' || onText !== undefined))
      test('arguments that are not JSON are kept as text for the engine to answer', async () => {
        server.script({ do: 'answer', calls: [{ id: 'c1', name: 'search', arguments: '{"task": oops' }] });

        expect((await generate({ tools: [tool('search')] })).parts).toMatchObject([
          { type: 'tool_call', input: { __invalid: '{"task": oops' } },
        ]);
      });

    test('an output schema comes back as JSON text', async () => {
      server.script({ do: 'answer', text: '{"n": 7}' });

      const response = await generate({ outputSchema: CLOSED });

      expect(JSON.parse(textOf(response))).toEqual({ n: 7 });
      expect(response.finish).toBe('stop');
    });
  });

  test('the key goes where the service looks for it, and the step id with every request', async () => {
    good(await (await provider()).generate(ask(), callOptions({ stepId: 'step-abc' })));

    const headers = server.requests[0]?.headers ?? {};
    expect(headers['idempotency-key']).toBe('step-abc');
    const carriers = Object.entries(headers).filter(([, value]) => String(value).includes(KEY));
    const expected: Readonly<Record<string, readonly string[]>> = {
      anthropic: ['x-api-key'],
      google: ['x-goog-api-key'],
      ollama: [],
    };
    expect(carriers.map(([name]) => name)).toEqual(expected[family.id] ?? ['authorization']);
    expect(server.requests[0]?.path).not.toContain(KEY);
  });

  test('a tool loop goes round: calls, results and errors are sent back under their names and ids', async () => {
    const messages = [
      message('system', { type: 'text', text: 'be brief' }),
      user('look it up'),
      message(
        'assistant',
        { type: 'text', text: 'calling' },
        { type: 'tool_call', id: 'a', name: 'one', input: { task: 'x' } },
        { type: 'tool_call', id: 'b', name: 'two', input: { task: 'y' } },
      ),
      message(
        'tool',
        { type: 'tool_result', id: 'a', name: 'one', output: { found: 'the-first-result' }, isError: false },
        { type: 'tool_result', id: 'b', name: 'two', output: 'the-second-failed', isError: true },
      ),
    ];

    good(await (await provider()).generate({ ...ask(), messages, tools: [tool('one'), tool('two')] }, callOptions()));

    const sent = JSON.stringify(body());
    for (const word of [
      'be brief',
      'look it up',
      'calling',
      'one',
      'two',
      'the-first-result',
      'the-second-failed',
      'calls one',
    ])
      expect(sent).toContain(word);
    expect(sent).toMatch(/error/);
  });

  test('an image is sent as the service takes it', async () => {
    const messages = [
      message('user', { type: 'text', text: 'look' }, { type: 'image', mediaType: 'image/png', data: PNG }),
    ];

    good(await (await provider()).generate({ ...ask(), messages }, callOptions()));

    expect(JSON.stringify(body())).toContain(PNG);
  });

  test('the schema is sent without the hints of kit', async () => {
    server.script({ do: 'answer', text: '{"n": 1}' });

    good(await (await provider()).generate({ ...ask(), outputSchema: CLOSED }, callOptions()));

    expect(JSON.stringify(body())).toContain('"n"');
    expect(JSON.stringify(body())).not.toContain('x-count');
  });

  test('the text arrives in pieces that make up the answer', async () => {
    server.script({ do: 'answer', text: 'a text that is long enough for several pieces' });
    const shown: string[] = [];

    const response = good(
      await (await provider()).generate(ask(), callOptions({ onText: (text) => shown.push(text) })),
    );

    expect(shown.length).toBeGreaterThan(3);
    expect(shown.join('')).toBe(textOf(response));
  });

  test('without the capability of streaming the whole answer is asked for, and shown at once', async () => {
    const config = { ...bundledConfig(family.id, server.url), capabilities: { streaming: false } };
    server.script({ do: 'answer', text: 'all of it' });
    const shown: string[] = [];
    const whole = await familyProvider(contributionOf(family.id), config, { env: { [KEY_VARIABLE]: KEY } });

    good(await whole.generate(ask(), callOptions({ onText: (text) => shown.push(text) })));

    expect(shown).toEqual(['all of it']);
  });

  test('a usage that the service does not report has no price, and a model that nobody knows has none', async () => {
    const usage = { inputTokens: 1000, outputTokens: 100, cachedInputTokens: 0, reasoningTokens: 0, costUsd: null };
    const known = await familyProvider(
      contributionOf(family.id),
      bundledConfig(family.id, 'https://api.anthropic.com/v1'),
    );

    expect((await provider()).price('model-unheard-of', usage)).toBeNull();
    expect((await provider()).price(family.model, usage)).toBeNull();
    expect(known.price('claude-sonnet-4-5', usage)).toBeGreaterThan(0);
    expect(known.price('claude-sonnet-4-5', { ...usage, unreported: true })).toBeNull();
  });
});
