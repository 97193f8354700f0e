import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../support/model-server.js';
import { bad, callOptions, NOW_MS, openaiProvider, request } from './helpers.js';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

describe.each([
  { way: 'whole', onText: undefined },
  { way: 'streamed', onText: () => {} },
])('a fault of an answer that is asked for $way', ({ onText }) => {
  const options = (signal?: AbortSignal) =>
    callOptions({ ...(onText === undefined ? {} : { onText }), ...(signal === undefined ? {} : { signal }) });
  const ask = async (signal?: AbortSignal) =>
    bad(await (await openaiProvider({ base_url: server.url })).generate(request(), options(signal)));

  test.each([
    { status: 400, kind: 'bad_request' },
    { status: 401, kind: 'auth' },
    { status: 402, kind: 'quota' },
    { status: 403, kind: 'auth' },
    { status: 404, kind: 'bad_request' },
    { status: 408, kind: 'timeout' },
    { status: 429, kind: 'rate_limited' },
    { status: 500, kind: 'server' },
    { status: 502, kind: 'server' },
    { status: 503, kind: 'overloaded' },
    { status: 504, kind: 'timeout' },
    { status: 529, kind: 'overloaded' },
  ])('status $status is $kind, asked once and not again', async ({ status, kind }) => {
    server.script({ do: 'status', status, message: 'the reason of the server' });

    const failure = await ask();

    expect(failure).toMatchObject({
      kind,
      status,
      retryAfterMs: null,
      message: expect.stringContaining('the reason of the server'),
    });
    expect(server.requests).toHaveLength(1);
  });

  test('429 of an account without credit is quota, which no waiting fixes', async () => {
    server.script({ do: 'status', status: 429, code: 'insufficient_quota', headers: { 'retry-after': '7' } });

    expect(await ask()).toMatchObject({
      kind: 'quota',
      status: 429,
      message: expect.stringMatching(/^the account at the model server has nothing left to spend \(HTTP 429\)/),
    });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    { header: '7', ms: 7_000 },
    { header: '0.5', ms: 500 },
    { header: new Date(NOW_MS + 90_000).toUTCString(), ms: 90_000 },
    { header: new Date(NOW_MS - 90_000).toUTCString(), ms: 0 },
    { header: 'soon', ms: null },
    { header: '-5', ms: null },
  ])('429 with Retry-After "$header" asks to wait $ms ms', async ({ header, ms }) => {
    server.script({ do: 'status', status: 429, headers: { 'retry-after': header } });

    expect(await ask()).toMatchObject({ kind: 'rate_limited', retryAfterMs: ms });
  });

  test('a server that says nothing is a timeout when the signal says so', async () => {
    server.script({ do: 'silence' });

    expect(await ask(AbortSignal.timeout(50))).toMatchObject({ kind: 'timeout', status: null });
  });

  test('a server that stops in the middle is a timeout when the signal says so', async () => {
    server.script({ do: 'stall', text: 'the beginning of an answer' });

    expect((await ask(AbortSignal.timeout(100))).kind).toBe('timeout');
  });

  test('a call whose signal is aborted already sends nothing', async () => {
    expect((await ask(AbortSignal.abort())).kind).toBe('timeout');
    expect(server.requests).toHaveLength(0);
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
    const other = await startModelServer();
    try {
      server.script({ do: 'status', status: 307, headers: { location: `${other.url}/chat/completions` } });

      expect(await ask()).toMatchObject({ kind: 'bad_request', status: 307 });
      expect(other.requests).toHaveLength(0);
    } finally {
      await other.close();
    }
  });

  test('a port where nobody listens is a network failure', async () => {
    const url = server.url;
    await server.close();
    const provider = await openaiProvider({ base_url: url });

    expect(bad(await provider.generate(request(), options()))).toMatchObject({
      kind: 'network',
      status: null,
      // Once: the library repeats the cause in its own sentence.
      message: expect.stringMatching(/^(?!.*ECONNREFUSED.*ECONNREFUSED).*ECONNREFUSED/),
    });
  });
});

describe('faults inside a stream', () => {
  const ask = async (onText: (text: string) => void = () => {}) =>
    bad(await (await openaiProvider({ base_url: server.url })).generate(request(), callOptions({ onText })));

  test('a stream that ends politely without a finish reason was cut', async () => {
    server.script({ do: 'cut', text: 'the beginning', how: 'end' });
    const shown: string[] = [];

    const failure = await ask((text) => shown.push(text));

    expect(failure.kind).toBe('cut_stream');
    expect(shown.join('')).toBe('the beginning');
  });

  test.each([
    { code: 429, kind: 'rate_limited', status: 429 },
    { code: '529', kind: 'overloaded', status: 529 },
    { code: 'internal', kind: 'server', status: 500 },
  ])('an error object with code $code is $kind', async ({ code, kind, status }) => {
    server.script({ do: 'stream-error', text: 'so far so good', code, message: 'no more' });

    expect(await ask()).toMatchObject({ kind, status, message: expect.stringContaining('no more') });
  });
});

describe('secrets', () => {
  const key = 'sk-very/secret+key';

  test.each([
    'Bearer sk-very/secret+key',
    `x${Buffer.from('sk-very/secret+key').toString('base64')}`,
    encodeURIComponent('sk-very/secret+key'),
  ])('a server that repeats the key as %s does not get it into the message', async (echo) => {
    server.script({ do: 'status', status: 401, message: `unknown key ${echo} here` });
    const provider = await openaiProvider({ base_url: server.url, api_key_env: 'K' }, { env: { K: key } });

    const failure = bad(await provider.generate(request(), callOptions()));

    expect(failure.message).toContain('***');
    expect(JSON.stringify(failure)).not.toContain(key);
    expect(failure.message).not.toContain(echo.replace('Bearer ', ''));
  });

  test('a key with a line break, which no header can carry, is not told', async () => {
    const provider = await openaiProvider(
      { base_url: server.url, api_key_env: 'K' },
      { env: { K: 'sk-first-line\nsk-second-line' } },
    );

    const failure = bad(await provider.generate(request(), callOptions()));

    expect(JSON.stringify(failure)).not.toMatch(/first-line|second-line/);
    expect(server.requests).toHaveLength(0);
  });

  test('values of configured headers are masked too', async () => {
    server.script({ do: 'status', status: 400, message: 'bad token header-secret-value' });
    const provider = await openaiProvider({ base_url: server.url, headers: { 'X-Token': 'header-secret-value' } });

    expect(bad(await provider.generate(request(), callOptions())).message).not.toContain('header-secret-value');
  });
});

describe('clean-up', () => {
  let raw: Server;
  afterEach(() => new Promise((resolve) => raw.close(resolve)));

  test('a stream that turns out to be malformed is closed by the client', async () => {
    const closed = Promise.withResolvers<void>();
    raw = createServer((_, response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: no json at all\n\n');
    });
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    const provider = await openaiProvider({ base_url: `http://127.0.0.1:${(raw.address() as AddressInfo).port}/v1` });

    const failure = bad(await provider.generate(request(), callOptions({ onText: () => {} })));

    expect(failure.kind).toBe('malformed');
    await closed.promise;
  });
});
