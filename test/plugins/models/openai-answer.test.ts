import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../support/model-server.js';
import { callOptions, good, openaiProvider, request, textOf, tool } from './helpers.js';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

describe.each([
  { way: 'whole', onText: undefined },
  { way: 'streamed', onText: () => {} },
])('an answer that comes $way', ({ onText }) => {
  const options = () => callOptions(onText === undefined ? {} : { onText });
  const ask = async (overrides = {}) =>
    (await openaiProvider({ base_url: server.url })).generate(request(overrides), options());

  test('text, finish reason and the model that answered are read', async () => {
    server.script({ do: 'answer', text: 'Grüße, 世界 and all', model: 'test-model-2025' });

    const response = good(await ask());

    expect(response).toMatchObject({
      parts: [{ type: 'text', text: 'Grüße, 世界 and all' }],
      finish: 'stop',
      model: 'test-model-2025',
    });
  });

  test('usage has cached and reasoning tokens and the cost that the server reports', async () => {
    server.script({
      do: 'answer',
      text: 'x',
      usage: { prompt: 100, completion: 20, cached: 60, reasoning: 7, cost: 0.125 },
    });

    expect(good(await ask()).usage).toEqual({
      inputTokens: 100,
      outputTokens: 20,
      cachedInputTokens: 60,
      reasoningTokens: 7,
      costUsd: 0.125,
    });
  });

  test('a usage that the server does not report is marked, and has no price', async () => {
    server.script({ do: 'answer', text: 'x', usage: null });

    const { usage } = good(await ask());

    expect(usage).toMatchObject({ inputTokens: 0, outputTokens: 0, costUsd: null, unreported: true });
    expect((await openaiProvider({ base_url: 'https://api.openai.com/v1' })).price('gpt-4o', usage)).toBeNull();
  });

  test('several tool calls of one response come in order, beside the text', async () => {
    server.script({
      do: 'answer',
      text: 'both',
      calls: [
        { id: 'c1', name: 'search', arguments: { query: 'a long enough query' } },
        { id: 'c2', name: 'search', arguments: { query: 'b' } },
      ],
    });

    const response = good(await ask({ tools: [tool('search')] }));

    expect(response.finish).toBe('tool_calls');
    expect(response.parts).toEqual([
      { type: 'text', text: 'both' },
      { type: 'tool_call', id: 'c1', name: 'search', input: { query: 'a long enough query' } },
      { type: 'tool_call', id: 'c2', name: 'search', input: { query: 'b' } },
    ]);
  });

  test.each([
    { what: 'no JSON', text: '{"task": oops' },
    { what: 'a JSON text', text: '"just words"' },
    { what: 'a JSON list', text: '[1,2]' },
  ])('tool arguments that are $what are kept as text for the engine to answer', async ({ text }) => {
    server.script({ do: 'answer', calls: [{ id: 'c1', name: 'search', arguments: text }] });

    const response = good(await ask({ tools: [tool('search')] }));

    expect(response.parts).toEqual([{ type: 'tool_call', id: 'c1', name: 'search', input: { __invalid: text } }]);
  });

  test('empty tool arguments are an empty object', async () => {
    server.script({ do: 'answer', calls: [{ id: 'c1', name: 'now', arguments: '' }] });

    expect(good(await ask({ tools: [tool('now')] })).parts).toEqual([
      { type: 'tool_call', id: 'c1', name: 'now', input: {} },
    ]);
  });

  test('a call of a tool that was not offered is passed on: refusing it is for the engine', async () => {
    server.script({ do: 'answer', calls: [{ id: 'c1', name: 'unheard-of', arguments: {} }] });

    expect(good(await ask({ tools: [tool('search')] })).parts).toMatchObject([
      { type: 'tool_call', name: 'unheard-of' },
    ]);
  });

  test.each([
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['something_new', 'other'],
  ])('the finish reason %s is %s', async (wire, expected) => {
    server.script({ do: 'answer', text: 'x', finish: wire });

    expect(good(await ask()).finish).toBe(expected);
  });
});

describe('streaming', () => {
  test('the text arrives in pieces that make up the answer', async () => {
    server.script({ do: 'answer', text: 'a text that is long enough for several pieces' });
    const shown: string[] = [];
    const provider = await openaiProvider({ base_url: server.url });

    const response = good(await provider.generate(request(), callOptions({ onText: (text) => shown.push(text) })));

    expect(shown.length).toBeGreaterThan(3);
    expect(shown.join('')).toBe(textOf(response));
    expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });
});

describe('prices', () => {
  const usage = {
    inputTokens: 1_000_000,
    outputTokens: 100_000,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    costUsd: null,
  };

  test('a known model of a known server has a price, and cached tokens make it cheaper', async () => {
    const provider = await openaiProvider({ base_url: 'https://api.openai.com/v1' });

    const full = provider.price('gpt-4o', usage);
    const cached = provider.price('gpt-4o', { ...usage, cachedInputTokens: 500_000 });

    expect(full).toBeGreaterThan(0);
    expect(cached).toBeGreaterThan(0);
    expect(cached).toBeLessThan(full ?? 0);
  });

  test('an unknown model of a known server has no price', async () => {
    expect((await openaiProvider({ base_url: 'https://api.openai.com/v1' })).price('gpt-unheard-of', usage)).toBeNull();
  });

  test('a known model on an unknown server has no price', async () => {
    expect((await openaiProvider({ base_url: 'http://127.0.0.1:1234/v1' })).price('gpt-4o', usage)).toBeNull();
  });

  test('more cached tokens than tokens do not break the price', async () => {
    expect(
      (await openaiProvider({ base_url: 'https://api.openai.com/v1' })).price('gpt-4o', {
        ...usage,
        cachedInputTokens: 2_000_000,
      }),
    ).toBeGreaterThan(0);
  });
});
