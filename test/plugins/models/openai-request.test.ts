import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../support/model-server.js';
import { bad, callOptions, good, message, openaiProvider, request, textOf, tool, user } from './helpers.js';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const body = () => server.requests[0]?.body;

describe('what is sent', () => {
  test('the key goes into the Authorization header and the step id into Idempotency-Key', async () => {
    const provider = await openaiProvider(
      { base_url: server.url, api_key_env: 'TEST_KEY' },
      { env: { TEST_KEY: 'sk-secret' } },
    );

    good(await provider.generate(request(), callOptions({ stepId: 'abc' })));

    expect(server.requests[0]?.path).toBe('/v1/chat/completions');
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer sk-secret', 'idempotency-key': 'abc' });
  });

  test('header and scheme of the key can be chosen, and headers go with every request', async () => {
    const config = {
      base_url: server.url,
      api_key_env: 'TEST_KEY',
      header: 'X-Api-Key',
      scheme: '',
      headers: { 'X-Team': 'blue' },
    };
    const provider = await openaiProvider(config, { env: { TEST_KEY: 'sk-secret' } });

    good(await provider.generate(request(), callOptions()));

    expect(server.requests[0]?.headers).toMatchObject({ 'x-api-key': 'sk-secret', 'x-team': 'blue' });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test('without a declared key no authorization is sent', async () => {
    const provider = await openaiProvider({ base_url: server.url });

    good(await provider.generate(request(), callOptions()));

    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test('a declared key that is not set fails before anything is sent, naming the variable', async () => {
    const provider = await openaiProvider({ base_url: server.url, api_key_env: 'TEST_KEY' });

    const failure = bad(await provider.generate(request(), callOptions()));

    expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('TEST_KEY') });
    expect(server.requests).toHaveLength(0);
  });

  test('every kind of message part reaches the wire', async () => {
    const provider = await openaiProvider({ base_url: server.url });
    const messages = [
      message('system', { type: 'text', text: 'be brief' }),
      message('user', { type: 'text', text: 'look' }, { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' }),
      message(
        'assistant',
        { type: 'text', text: 'calling' },
        { type: 'tool_call', id: 'a', name: 'one', input: { x: 1 } },
        { type: 'tool_call', id: 'b', name: 'two', input: { __invalid: '{oops' } },
      ),
      message(
        'tool',
        { type: 'tool_result', id: 'a', name: 'one', output: { found: 2 }, isError: false },
        { type: 'tool_result', id: 'b', name: 'two', output: 'arguments are not JSON', isError: true },
      ),
    ];

    good(await provider.generate(request({ messages }), callOptions()));

    expect(body().messages).toEqual([
      { role: 'system', content: 'be brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
      {
        role: 'assistant',
        content: 'calling',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'one', arguments: '{"x":1}' } },
          { id: 'b', type: 'function', function: { name: 'two', arguments: '{"__invalid":"{oops"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: '{"found":2}' },
      { role: 'tool', tool_call_id: 'b', content: '{"error":"arguments are not JSON"}' },
    ]);
  });

  test('tools are offered with their input schema', async () => {
    const provider = await openaiProvider({ base_url: server.url });

    good(await provider.generate(request({ tools: [tool('search')] }), callOptions()));

    expect(body().tools).toEqual([
      {
        type: 'function',
        function: { name: 'search', description: 'calls search', parameters: tool('search').inputSchema },
      },
    ]);
    expect(body().response_format).toBeUndefined();
  });

  test('temperature and max_tokens are sent only when they are given', async () => {
    const provider = await openaiProvider({ base_url: server.url });

    good(await provider.generate(request({ temperature: 0.25, maxTokens: 77 }), callOptions()));
    good(await provider.generate(request(), callOptions()));

    expect(body()).toMatchObject({ model: 'test-model', temperature: 0.25, max_tokens: 77 });
    expect(server.requests[1]?.body).not.toHaveProperty('temperature');
    expect(server.requests[1]?.body).not.toHaveProperty('max_tokens');
  });

  test('options are applied last: over first-class keys and over the extra body', async () => {
    const provider = await openaiProvider({ base_url: server.url, extra_body: { seed: 1, user: 'server' } });

    good(
      await provider.generate(
        request({ temperature: 0.25, options: { temperature: 0.75, seed: 2, top_k: 4 } }),
        callOptions(),
      ),
    );

    expect(body()).toMatchObject({ temperature: 0.75, seed: 2, user: 'server', top_k: 4 });
  });

  test('with lift_to_root the other options go into the options object of the request', async () => {
    const provider = await openaiProvider({ base_url: server.url, lift_to_root: ['think'] });

    good(await provider.generate(request({ options: { think: false, num_ctx: 4096 } }), callOptions()));

    expect(body()).toMatchObject({ think: false, options: { num_ctx: 4096 } });
    expect(body()).not.toHaveProperty('num_ctx');
  });

  test('an option that kit decides is refused before anything is sent', async () => {
    const provider = await openaiProvider({ base_url: server.url });

    const failure = bad(await provider.generate(request({ options: { stream: false } }), callOptions()));

    expect(failure).toMatchObject({ kind: 'bad_request', message: expect.stringContaining('`stream`') });
    expect(server.requests).toHaveLength(0);
  });
});

describe('structured output', () => {
  const closed = {
    type: 'object',
    properties: { n: { type: 'integer', 'x-count': '$.a' } },
    required: ['n'],
    additionalProperties: false,
  };

  test('a schema that servers can hold strictly is sent as strict, without the hints of kit', async () => {
    const provider = await openaiProvider({ base_url: server.url });

    good(await provider.generate(request({ outputSchema: closed }), callOptions()));

    expect(body().response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { strict: true, schema: { ...closed, properties: { n: { type: 'integer' } } } },
    });
    expect(JSON.stringify(body().response_format)).not.toContain('x-count');
  });

  test('a schema with optional properties is not sent as strict', async () => {
    const provider = await openaiProvider({ base_url: server.url });

    good(await provider.generate(request({ outputSchema: { ...closed, required: [] } }), callOptions()));

    expect(body().response_format.json_schema.strict).toBe(false);
  });

  test('a property that is named like a hint stays', async () => {
    const provider = await openaiProvider({ base_url: server.url });
    const outputSchema = { type: 'object', properties: { 'x-ray': { type: 'string' } } };

    good(await provider.generate(request({ outputSchema }), callOptions()));

    expect(body().response_format.json_schema.schema.properties).toHaveProperty('x-ray');
  });

  test('without the capability the schema is asked for in the prompt', async () => {
    const provider = await openaiProvider({ base_url: server.url, capabilities: { structured_output: false } });
    const messages = [message('system', { type: 'text', text: 'be brief' }), user('count')];

    good(await provider.generate(request({ messages, outputSchema: closed }), callOptions()));

    expect(body()).not.toHaveProperty('response_format');
    expect(body().messages).toHaveLength(2);
    expect(body().messages[0].content).toMatch(/^be brief\n[\s\S]*"required":\["n"\]/);
  });

  test('without the capability and without a system message one is added', async () => {
    const provider = await openaiProvider({ base_url: server.url, capabilities: { structured_output: false } });

    good(await provider.generate(request({ outputSchema: closed }), callOptions()));

    expect(body().messages.map((item: { role: string }) => item.role)).toEqual(['system', 'user']);
  });
});

describe('capabilities', () => {
  test('an image for a server without images is refused, not dropped', async () => {
    const provider = await openaiProvider({ base_url: server.url, capabilities: { images: false } });
    const messages = [message('user', { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' })];

    expect(bad(await provider.generate(request({ messages }), callOptions())).kind).toBe('bad_request');
    expect(server.requests).toHaveLength(0);
  });

  test('tools for a server without tools are refused, not dropped', async () => {
    const provider = await openaiProvider({ base_url: server.url, capabilities: { tools: false } });

    expect(bad(await provider.generate(request({ tools: [tool('a')] }), callOptions())).kind).toBe('bad_request');
    expect(server.requests).toHaveLength(0);
  });

  test('a server without streaming is asked for the whole answer, which is shown at once', async () => {
    const provider = await openaiProvider({ base_url: server.url, capabilities: { streaming: false } });
    server.script({ do: 'answer', text: 'all of it' });
    const shown: string[] = [];

    const response = good(await provider.generate(request(), callOptions({ onText: (text) => shown.push(text) })));

    expect(body().stream).toBeUndefined();
    expect(shown).toEqual(['all of it']);
    expect(textOf(response)).toBe('all of it');
  });
});
