import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callOptions, familyProvider } from './helpers.js';

interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly model: string; readonly input: readonly string[] };
}

let server: Server;
let asked: Asked[];
/** What the server answers next: a status and its body; null = never. */
let answer: { readonly status: number; readonly body: unknown } | null;
const vectors = (count: number) => ({
  data: Array.from({ length: count }, (_, index) => ({ index, embedding: [index, 0.5] })),
  usage: { prompt_tokens: 7, total_tokens: 7 },
});

beforeEach(async () => {
  asked = [];
  server = createServer((incoming, response) => {
    let text = '';
    incoming.on('data', (piece) => {
      text += String(piece);
    });
    incoming.on('end', () => {
      asked.push({ path: incoming.url ?? '', headers: incoming.headers, body: JSON.parse(text) });
      if (answer !== null)
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
const embed = async (name: string, over: Parameters<typeof callOptions>[0] = {}) => {
  const provider = await familyProvider(
    name,
    { base_url: url(), api_key_env: 'TEST_KEY' },
    { env: { TEST_KEY: 'sk-planted-secret' } },
  );
  return provider.embed?.({ model: 'e1', texts: ['one', 'two'] }, callOptions({ stepId: 'abc', ...over }));
};

describe.each(['openai-compatible', 'openai'])('embeddings of %s', (name) => {
  it('are asked for in one request, with the key and the step id, and come in the order of the texts', async () => {
    answer = { status: 200, body: vectors(2) };

    const result = await embed(name);

    expect(asked).toMatchObject([
      {
        path: '/v1/embeddings',
        headers: { authorization: 'Bearer sk-planted-secret', 'idempotency-key': 'abc' },
        body: { model: 'e1', input: ['one', 'two'] },
      },
    ]);
    expect(result).toMatchObject({ ok: true, response: { usage: { inputTokens: 7, outputTokens: 0, costUsd: null } } });
    expect(result?.ok === true && result.response.vectors).toEqual([Float32Array.of(0, 0.5), Float32Array.of(1, 0.5)]);
  });

  it.each([
    { what: 'a limited rate', status: 429, kind: 'rate_limited' },
    { what: 'a refused key', status: 401, kind: 'auth' },
    { what: 'a model that the server lacks', status: 404, kind: 'bad_request' },
  ])('of $what are a failure of the kind $kind, without the key', async ({ status, kind }) => {
    answer = { status, body: { error: { message: 'no, not with sk-planted-secret' } } };

    const result = await embed(name);

    expect(result).toMatchObject({ ok: false, failure: { kind, status } });
    expect(JSON.stringify(result)).not.toContain('sk-planted-secret');
  });

  it('that make no sense are malformed, and an abort is a timeout', async () => {
    answer = { status: 200, body: { data: 'none' } };
    expect(await embed(name)).toMatchObject({ ok: false, failure: { kind: 'malformed' } });

    answer = null;
    expect(await embed(name, { signal: AbortSignal.timeout(50) })).toMatchObject({
      ok: false,
      failure: { kind: 'timeout' },
    });
  });
});

it('a family without embeddings has none to offer', async () => {
  expect((await familyProvider('anthropic', { base_url: url(), api_key_env: 'TEST_KEY' })).embed).toBeUndefined();
});
