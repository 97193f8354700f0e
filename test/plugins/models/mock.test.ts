import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { bad, callOptions, good, message, mockProvider, request, textOf, tool, user } from './helpers.js';

const children = [tool('delegate_to_a'), tool('delegate_to_b'), tool('search')];

describe('the default answer', () => {
  test('repeats the last user message in one line', async () => {
    const provider = await mockProvider();

    const response = good(
      await provider.generate(request({ messages: [user('first'), user('second\n  line')] }), callOptions()),
    );

    expect(response).toMatchObject({
      parts: [{ type: 'text', text: 'mock answer to: second line' }],
      finish: 'stop',
      model: 'test-model',
    });
    expect(response.usage.costUsd).toBe(0);
    expect(provider.price('test-model', response.usage)).toBe(0);
  });

  test('is shown word by word and adds up to the answer', async () => {
    const shown: string[] = [];

    const response = good(
      await (await mockProvider()).generate(request(), callOptions({ onText: (text) => shown.push(text) })),
    );

    expect(shown.length).toBeGreaterThan(1);
    expect(shown.join('')).toBe(textOf(response));
  });

  test('is the same for the same conversation', async () => {
    const ask = async () => (await mockProvider()).generate(request(), callOptions());

    expect(await ask()).toEqual(await ask());
  });
});

describe('an output schema', () => {
  const schemas = {
    leaves: {
      type: 'object',
      properties: {
        s: { type: 'string', minLength: 6, maxLength: 7 },
        i: { type: 'integer', exclusiveMinimum: 3, multipleOf: 5 },
        n: { type: 'number', minimum: 0.5, maximum: 0.75 },
        neg: { type: 'number', exclusiveMaximum: -2 },
        b: { type: 'boolean' },
        z: { type: 'null' },
        e: { enum: ['x', 'y'] },
        c: { const: 7 },
        d: { type: 'string', format: 'date-time' },
        p: { type: 'string', pattern: '^[a-f0-9]{12}$' },
        optional: { type: 'string', pattern: '^never needed$' },
      },
      required: ['s', 'i', 'n', 'neg', 'b', 'z', 'e', 'c', 'd', 'p'],
      additionalProperties: false,
    },
    lists: { type: 'array', minItems: 2, uniqueItems: true, items: { type: 'string' } },
    nested: {
      $defs: {
        item: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'integer' }, next: { $ref: '#/$defs/item' } },
        },
      },
      allOf: [{ properties: { first: { $ref: '#/$defs/item' } }, required: ['first'] }],
      type: 'object',
      properties: {
        rest: { type: 'array', minItems: 1, items: { anyOf: [{ $ref: '#/$defs/item' }, { type: 'null' }] } },
      },
      required: ['rest'],
    },
  };

  test.each(Object.entries(schemas))('%s: the answer is JSON that the schema accepts', async (_, outputSchema) => {
    const response = good(await (await mockProvider()).generate(request({ outputSchema }), callOptions()));

    const validate = new Ajv2020({ formats: { 'date-time': true } }).compile(outputSchema);
    expect(validate(JSON.parse(textOf(response))), JSON.stringify(validate.errors)).toBe(true);
  });

  test.each([
    { name: 'a pattern that no known word fits', outputSchema: { type: 'string', pattern: '^\\p{Lu}{3}-\\d{9}/\\w$' } },
    {
      name: 'a value without end',
      outputSchema: { type: 'object', required: ['again'], properties: { again: { $ref: '#' } } },
    },
    { name: 'bounds without a number between them', outputSchema: { type: 'integer', minimum: 2, maximum: 1 } },
  ])('$name is a failure, not a wrong answer', async ({ outputSchema }) => {
    expect(bad(await (await mockProvider()).generate(request({ outputSchema }), callOptions())).kind).toBe(
      'bad_request',
    );
  });
});

describe('delegation', () => {
  test.each([
    { by: 'the configuration', config: { delegate: true }, env: {} },
    { by: 'KIT_MOCK_DELEGATE', config: {}, env: { KIT_MOCK_DELEGATE: '1' } },
  ])('asked for by $by, each child is called once with the last user text', async ({ config, env }) => {
    const provider = await mockProvider(config, { env });
    const first = good(await provider.generate(request({ tools: children }), callOptions()));

    expect(first.parts).toEqual([
      { type: 'tool_call', id: 'call_0_a', name: 'delegate_to_a', input: { task: 'hello' } },
      { type: 'tool_call', id: 'call_0_b', name: 'delegate_to_b', input: { task: 'hello' } },
    ]);
    const messages = [user('hello'), message('assistant', ...first.parts)];
    expect(textOf(good(await provider.generate(request({ tools: children, messages }), callOptions())))).toBe(
      'mock answer to: hello',
    );
  });

  test('is not done unasked', async () => {
    expect(good(await (await mockProvider()).generate(request({ tools: children }), callOptions())).finish).toBe(
      'stop',
    );
  });
});

describe('a script', () => {
  const script = [
    {
      tool_calls: [
        { name: 'search', input: { q: 1 } },
        { name: 'search', arguments_text: '{oops' },
      ],
      usage: { input_tokens: 3, output_tokens: 4, cost_usd: 0.5 },
    },
    { text: 'done' },
    { json: { n: 1 } },
  ];
  const conversation = (turns: number) => [
    user('hello'),
    ...Array.from({ length: turns }, () => message('assistant', { type: 'text', text: 'x' })),
  ];
  const turn = async (turns: number) =>
    good(await (await mockProvider({ script })).generate(request({ messages: conversation(turns) }), callOptions()));

  test('is followed by the number of answers in the conversation, from any starting point', async () => {
    expect(textOf(await turn(1))).toBe('done');
    expect(textOf(await turn(2))).toBe('{"n":1}');
    expect(textOf(await turn(3))).toBe('mock answer to: hello');
    expect(await turn(0)).toMatchObject({
      finish: 'tool_calls',
      parts: [
        { id: 'call_0_0', input: { q: 1 } },
        { id: 'call_0_1', input: { __invalid: '{oops' } },
      ],
      usage: { inputTokens: 3, outputTokens: 4, costUsd: 0.5 },
    });
  });

  test("of an agent's options wins over that of the provider", async () => {
    const provider = await mockProvider({ script });

    expect(
      textOf(good(await provider.generate(request({ options: { script: [{ text: 'mine' }] } }), callOptions()))),
    ).toBe('mine');
  });

  test('can fail every time', async () => {
    const provider = await mockProvider({
      script: [{ fail: { kind: 'rate_limited', status: 429, retry_after_ms: 50 } }],
    });

    expect(bad(await provider.generate(request(), callOptions()))).toMatchObject({
      kind: 'rate_limited',
      status: 429,
      retryAfterMs: 50,
    });
    expect(bad(await provider.generate(request(), callOptions())).kind).toBe('rate_limited');
  });

  test('can fail some times per step and then answer', async () => {
    const provider = await mockProvider({ script: [{ fail: { kind: 'server', times: 2 }, text: 'at last' }] });
    const ask = (stepId: string) => provider.generate(request(), callOptions({ stepId }));

    bad(await ask('one'));
    bad(await ask('one'));
    expect(textOf(good(await ask('one')))).toBe('at last');
    bad(await ask('two'));
  });

  test.each([{ script: 'text' }, { script: ['text'] }, { script: [{ fail: { kind: 'tired' } }] }])(
    'that cannot be read is a failure: %j',
    async (config) => {
      expect(bad(await (await mockProvider(config)).generate(request(), callOptions())).kind).toBe('bad_request');
    },
  );
});

describe('latency', () => {
  test.each([
    { from: 'KIT_MOCK_LATENCY_MS', config: {}, env: { KIT_MOCK_LATENCY_MS: '250' }, ms: 250 },
    { from: 'the configuration', config: { latency_ms: 30 }, env: { KIT_MOCK_LATENCY_MS: '250' }, ms: 30 },
    {
      from: 'a step of the script',
      config: { latency_ms: 30, script: [{ text: 'x', latency_ms: 5 }] },
      env: {},
      ms: 5,
    },
  ])('of $from is waited on the injected clock', async ({ config, env, ms }) => {
    const waits: number[] = [];
    const clock = { now: () => 0, sleep: async (waitMs: number) => void waits.push(waitMs) };

    good(await (await mockProvider(config, { env, clock })).generate(request(), callOptions()));

    expect(waits).toEqual([ms]);
  });

  test('ends with a timeout when the signal does', async () => {
    const controller = new AbortController();
    const clock = {
      now: () => 0,
      sleep: (_ms: number, signal?: AbortSignal) =>
        new Promise<void>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    };
    const asked = (await mockProvider({ latency_ms: 1000 }, { clock })).generate(
      request(),
      callOptions({ signal: controller.signal }),
    );
    controller.abort();

    expect(bad(await asked).kind).toBe('timeout');
  });
});
