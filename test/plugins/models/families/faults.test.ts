import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ProviderServer, startProviderServer } from '../../../support/components/provider-servers/server.js';
import { bad, callOptions, familyProvider, good, message, NOW_MS, request, tool } from '../helpers.js';
import { bundledConfig, contributionOf, FAMILIES, KEY, KEY_VARIABLE } from './family-cases.js';

describe.each(FAMILIES)('$id', (family) => {
  let server: ProviderServer;
  beforeEach(async () => {
    server = await startProviderServer(family.protocol);
  });
  afterEach(() => server.close());

  const provider = (more = {}) =>
    familyProvider(
      contributionOf(family.id),
      { ...bundledConfig(family.id, server.url), ...more },
      { env: { [KEY_VARIABLE]: KEY } },
    );

  describe.each([
    { way: 'whole', onText: undefined },
    { way: 'streamed', onText: () => {} },
  ])('a fault of an answer that is asked for $way', ({ onText }) => {
    const ask = async (signal?: AbortSignal) => {
      const options = callOptions({
        ...(onText === undefined ? {} : { onText }),
        ...(signal === undefined ? {} : { signal }),
      });
      return bad(await (await provider()).generate(request({ model: family.model }), options));
    };

    test.each([
      { status: 400, kind: 'bad_request' },
      { status: 401, kind: 'auth' },
      { status: 402, kind: 'quota' },
      { status: 404, kind: 'bad_request' },
      { status: 429, kind: 'rate_limited' },
      { status: 500, kind: 'server' },
      { status: 503, kind: 'overloaded' },
      { status: 529, kind: 'overloaded' },
    ])('status $status is $kind, asked once and not again', async ({ status, kind }) => {
      server.script({ do: 'status', status, message: 'the reason of the server' });

      expect(await ask()).toMatchObject({
        kind,
        status,
        retryAfterMs: null,
        message: expect.stringContaining('the reason of the server'),
      });
      expect(server.requests).toHaveLength(1);
    });

    test.each([
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      'prompt is too long: 213462 tokens > 200000 maximum',
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
      'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).',
    ])('a request that is too long for the window is told apart: %s', async (message) => {
      server.script({ do: 'status', status: 400, message });

      expect(await ask()).toMatchObject({ kind: 'context_overflow', status: 400 });
    });

    test.each([
      { headers: { 'retry-after': '7' }, expected: 7_000 },
      { headers: { 'retry-after': new Date(NOW_MS + 90_000).toUTCString() }, expected: 90_000 },
    ])('the advice to wait is read: $headers', async ({ headers, expected }) => {
      server.script({ do: 'status', status: 429, headers });

      expect((await ask()).retryAfterMs).toBe(expected);
    });

    test('a server that takes the request and never answers ends with the signal of the call', async () => {
      server.script({ do: 'silence' });
      const abort = new AbortController();
      const asked = ask(abort.signal);
      await expect.poll(() => server.requests.length).toBe(1);
      abort.abort();

      expect(await asked).toMatchObject({ kind: 'timeout', status: null });
    });

    test('an answer that stalls in the middle ends with the signal of the call', async () => {
      server.script({ do: 'stall', text: 'the beginning of an answer' });
      const abort = new AbortController();
      const asked = ask(abort.signal);
      await expect.poll(() => server.requests.length).toBe(1);
      abort.abort();

      expect((await asked).kind).toBe('timeout');
    });

    test('a connection that is reset in the middle is a cut stream', async () => {
      server.script({ do: 'cut', text: 'the beginning of an answer', how: 'reset' });

      expect((await ask()).kind).toBe('cut_stream');
    });

    test('an answer that is not JSON is malformed, and its text is not repeated', async () => {
      server.script({ do: 'malformed', text: 'private words of the model' });

      const failure = await ask();

      expect(failure.kind).toBe('malformed');
      expect(failure.message).not.toMatch(/private|oops/);
    });

    test('a redirect is refused, so that no key goes elsewhere', async () => {
      const other = await startProviderServer(family.protocol);
      try {
        server.script({ do: 'status', status: 307, headers: { location: other.url } });

        expect(await ask()).toMatchObject({ kind: 'bad_request', status: 307 });
        expect(other.requests).toHaveLength(0);
      } finally {
        await other.close();
      }
    });

    test('a port where nobody listens is a network failure', async () => {
      const asked = provider();
      await server.close();
      const options = callOptions(onText === undefined ? {} : { onText });

      expect(bad(await (await asked).generate(request({ model: family.model }), options))).toMatchObject({
        kind: 'network',
        status: null,
        message: expect.stringContaining('ECONNREFUSED'),
      });
    });

    test('a server that repeats the key does not get it into the message', async () => {
      server.script({ do: 'status', status: 401, message: `unknown key ${KEY} and ${encodeURIComponent(KEY)} here` });

      const failure = await ask();

      // Ollama has no key in this table: what nobody gave cannot be repeated.
      if (family.id !== 'ollama') expect(failure.message).toContain('***');
      if (family.id !== 'ollama') expect(JSON.stringify(failure)).not.toMatch(/key-of-the-test/);
    });
  });

  test('a stream that ends politely without a finish reason was cut', async () => {
    server.script({ do: 'cut', text: 'the beginning', how: 'end' });
    const shown: string[] = [];

    const failure = bad(
      await (await provider()).generate(
        request({ model: family.model }),
        callOptions({ onText: (text) => shown.push(text) }),
      ),
    );

    expect(failure.kind).toBe('cut_stream');
    expect(shown.join('')).toBe('the beginning');
  });

  test.each([
    { code: 429, kind: 'rate_limited' },
    { code: family.id === 'anthropic' ? 529 : 503, kind: 'overloaded' },
    { code: 500, kind: 'server' },
  ])('an error inside a stream with code $code is $kind', async ({ code, kind }) => {
    server.script({ do: 'stream-error', text: 'so far so good', code, message: 'no more' });

    const failure = bad(
      await (await provider()).generate(request({ model: family.model }), callOptions({ onText: () => {} })),
    );

    expect(failure).toMatchObject({
      kind: family.hasStreamedStatus ? kind : 'server',
      message: expect.stringContaining('no more'),
    });
  });

  if (family.id !== 'ollama')
    test('a declared key that is not set fails before anything is sent, naming the variable', async () => {
      const unset = await familyProvider(contributionOf(family.id), bundledConfig(family.id, server.url));

      expect(bad(await unset.generate(request(), callOptions()))).toMatchObject({
        kind: 'auth',
        message: expect.stringContaining(KEY_VARIABLE),
      });
      expect(server.requests).toHaveLength(0);
    });

  test('images and tools that the server is declared without are refused, not dropped', async () => {
    const bare = await provider({ capabilities: { images: false, tools: false } });
    const messages = [message('user', { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' })];

    expect(bad(await bare.generate(request({ messages }), callOptions())).kind).toBe('bad_request');
    expect(bad(await bare.generate(request({ tools: [tool('a')] }), callOptions())).kind).toBe('bad_request');
    expect(server.requests).toHaveLength(0);
  });

  test('an option that kit decides is refused before anything is sent', async () => {
    expect(
      bad(await (await provider()).generate(request({ options: { tools: [] } }), callOptions())).message,
    ).toContain('`tools`');
    expect(server.requests).toHaveLength(0);
  });

  test('headers and the extra body of the configuration go with every request', async () => {
    const own = await provider({
      headers: { 'X-Team': 'blue' },
      extra_body: { labels: { team: 'blue' }, ...(family.id === 'openrouter' ? { usage: { include: true } } : {}) },
    });

    await own.generate(request({ model: family.model }), callOptions());

    expect(server.requests[0]?.headers['x-team']).toBe('blue');
    expect(server.requests[0]?.body.labels).toEqual({ team: 'blue' });
  });

  test('the key can go into a header of choice', async () => {
    const own = await provider({ api_key_env: KEY_VARIABLE, header: 'X-Own-Key', scheme: '' });

    await own.generate(request({ model: family.model }), callOptions());

    expect(server.requests[0]?.headers['x-own-key']).toBe(KEY);
    expect(
      Object.values(server.requests[0]?.headers ?? {}).filter((value) => String(value).includes(KEY)),
    ).toHaveLength(1);
    for (const usual of ['authorization', 'x-api-key', 'x-goog-api-key'])
      expect(server.requests[0]?.headers).not.toHaveProperty(usual);
  });

  test('good answers stay good after a fault', async () => {
    server.script({ do: 'status', status: 500 });
    const same = await provider();

    bad(await same.generate(request({ model: family.model }), callOptions()));
    good(await same.generate(request({ model: family.model }), callOptions()));
  });
});
