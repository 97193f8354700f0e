import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.js';
import { afterwards, call, mcpWorld, textOf } from './world.js';

interface Asked {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly message: { readonly id?: number; readonly method?: string; readonly params?: JsonObject };
}

type Handle = (asked: Asked, response: ServerResponse) => boolean | undefined;

const json = (response: ServerResponse, body: object, headers: Record<string, string> = {}): true => {
  response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ jsonrpc: '2.0', ...body }));
  return true;
};

/** A server over HTTP that does what the protocol says unless `handle` has answered. */
async function httpServer(handle: Handle = () => undefined) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        headers: request.headers,
        message: body === '' ? {} : JSON.parse(body),
      };
      asked.push(one);
      if (handle(one, response) === true) return;
      const { id, method } = one.message;
      if (method === 'initialize') {
        const result = {
          protocolVersion: '2025-06-18',
          serverInfo: { name: 'x', version: '1' },
          capabilities: { tools: {} },
        };
        json(
          response,
          { id, result },
          { 'mcp-session-id': `s${asked.filter(({ message }) => message.method === 'initialize').length}` },
        );
      } else if (method === 'tools/list')
        json(response, { id, result: { tools: [{ name: 'go', inputSchema: { type: 'object' } }] } });
      else if (method === 'tools/call') json(response, { id, result: { content: [{ type: 'text', text: 'gone' }] } });
      else response.writeHead(request.method === 'POST' ? 202 : 405).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  afterwards(stop);
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    stop,
    port,
    settings: { transport: 'http', endpoint: `http://127.0.0.1:${port}/mcp` } satisfies JsonObject,
  };
}

const calls = (asked: readonly Asked[]): number =>
  asked.filter(({ message }) => message.method === 'tools/call').length;
const failed = (data: object) => ({ code: 'KIT_TOOL_CALL_FAILED', data: expect.objectContaining(data) });
const notStarted = (data: object) => ({ code: 'KIT_TOOL_SERVER_FAILED', data: expect.objectContaining(data) });
const isCall = ({ message }: Asked): boolean => message.method === 'tools/call';

describe('a server over HTTP', () => {
  it('that asks without end and takes no answer is answered by a few requests at a time', async () => {
    let open = 0;
    let most = 0;
    const http = await httpServer((asked, response) => {
      const { id, method } = asked.message;
      if (isCall(asked)) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let n = 0; n < 500; n += 1)
          response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: `q${n}`, method: 'ping' })}\n\n`);
        setTimeout(() => {
          response.end(
            `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'gone' }] } })}\n\n`,
          );
        }, 2_000);
        return true;
      }
      if (method !== undefined || id === undefined) return undefined;
      open += 1;
      most = Math.max(most, open);
      return true;
    });
    const server = await mcpWorld().open(http.settings);

    expect(textOf(await call(server, 'go'))).toBe('gone');
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(32);
  });

  it('that sends elsewhere is not followed: no header and no argument goes to another address', async () => {
    const elsewhere = await httpServer();
    const moved = (response: ServerResponse): true => {
      response.writeHead(307, { location: elsewhere.settings.endpoint }).end();
      return true;
    };
    const settings = (endpoint: string) => ({ transport: 'http', endpoint, headers: { 'x-api-key': 'sekrit' } });
    const atOnce = await httpServer((_asked, response) => moved(response));
    const later = await httpServer((asked, response) => (isCall(asked) ? moved(response) : undefined));

    await expect(mcpWorld().open(settings(atOnce.settings.endpoint))).rejects.toMatchObject(
      notStarted({ reason: 'protocol', status: 307 }),
    );
    const server = await mcpWorld().open(settings(later.settings.endpoint));
    await expect(call(server, 'go')).rejects.toMatchObject(failed({ sent: true }));
    expect(elsewhere.asked).toEqual([]);
  });

  it('gets the written headers and the bearer token with each request, as they are at that moment', async () => {
    const http = await httpServer();
    let token = 'first';
    const world = mcpWorld({ bearer: async () => token });
    const server = await world.open({
      ...http.settings,
      headers: { 'x-team': 'blue', authorization: 'Basic written' },
    });
    token = 'second';
    await call(server, 'go');

    expect(http.asked.map(({ headers }) => headers['x-team'])).toEqual(http.asked.map(() => 'blue'));
    expect(http.asked.find(({ message }) => message.method === 'initialize')?.headers.authorization).toBe(
      'Bearer first',
    );
    expect(http.asked.find(isCall)?.headers.authorization).toBe('Bearer second');
  });

  it('is told when its session is over', async () => {
    const http = await httpServer();
    const server = await mcpWorld().open(http.settings);
    await server.close();

    expect(http.asked.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 's1' } });
  });

  it.each([
    [404, 'what?'],
    [400, 'Bad Request: no valid session'],
  ])('is greeted again when it forgot the session (%i), and the call is sent once', async (status, text) => {
    let isForgotten = true;
    const http = await httpServer((asked, response) => {
      if (!isCall(asked) || !isForgotten) return undefined;
      isForgotten = false;
      response.writeHead(status).end(text);
      return true;
    });
    const server = await mcpWorld().open(http.settings);

    expect(textOf(await call(server, 'go'))).toBe('gone');
    expect(http.asked.filter(isCall).map(({ headers }) => headers['mcp-session-id'])).toEqual(['s1', 's2']);
  });

  it('is greeted again once, not for ever', async () => {
    const http = await httpServer((asked, response) => {
      if (!isCall(asked)) return undefined;
      response.writeHead(404).end();
      return true;
    });
    const server = await mcpWorld().open(http.settings);

    await expect(call(server, 'go')).rejects.toMatchObject(failed({ sent: false }));
    expect(calls(http.asked)).toBe(2);
  });

  it.each([
    ['refuses the token', 401, { reason: 'refused', sent: false }],
    ['has too many requests', 429, { reason: 'overloaded', sent: false, down: true }],
    ['is away behind its proxy', 503, { reason: 'overloaded', sent: true, down: true }],
    ['breaks', 500, { reason: 'disconnected', sent: true }],
  ])('fails the call when it %s, which is not repeated', async (_what, status, data) => {
    const http = await httpServer((asked, response) => {
      if (!isCall(asked)) return undefined;
      response.writeHead(status).end(`you sent ${asked.headers.authorization}`);
      return true;
    });
    const server = await mcpWorld({ bearer: async () => 'sekret-token' }).open(http.settings);

    const error = await call(server, 'go').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(failed(data));
    expect(JSON.stringify([String(error), error])).not.toContain('sekret-token');
    expect(calls(http.asked)).toBe(1);
  });

  it('fails the call when its connection breaks, which is not repeated', async () => {
    const http = await httpServer((asked, response) => {
      if (!isCall(asked)) return undefined;
      response.socket?.destroy();
      return true;
    });
    const server = await mcpWorld().open(http.settings);

    await expect(call(server, 'go')).rejects.toMatchObject(failed({ reason: 'disconnected', sent: true, down: true }));
    expect(calls(http.asked)).toBe(1);
  });

  it('fails the call when the stream of its answer ends without one', async () => {
    const http = await httpServer((asked, response) => {
      if (!isCall(asked)) return undefined;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
      return true;
    });
    const server = await mcpWorld().open(http.settings);

    await expect(call(server, 'go')).rejects.toMatchObject(failed({ reason: 'disconnected', sent: true }));
  });

  it.each(['application/json', 'text/event-stream'])(
    'fails the one call that it answers with 50 MB of %s',
    async (type) => {
      let isLarge = true;
      const http = await httpServer((asked, response) => {
        if (!isCall(asked) || !isLarge) return undefined;
        isLarge = false;
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id: asked.message.id,
          result: { content: [{ type: 'text', text: 'x'.repeat(50 * 1024 * 1024) }] },
        });
        response.on('error', () => {});
        response.writeHead(200, { 'content-type': type }).end(type === 'application/json' ? body : `data: ${body}\n\n`);
        return true;
      });
      const server = await mcpWorld().open(http.settings);

      await expect(call(server, 'go')).rejects.toMatchObject(failed({ reason: 'too_large', sent: true }));
      expect(textOf(await call(server, 'go'))).toBe('gone');
    },
  );

  it('was not sent a call when it is gone', async () => {
    const http = await httpServer();
    const server = await mcpWorld().open(http.settings);
    await http.stop();

    // The first may have been written to a connection that was open a moment ago, which nobody can
    // tell.
    await call(server, 'go').catch(() => undefined);
    await expect(call(server, 'go')).rejects.toMatchObject(failed({ reason: 'unreachable', sent: false }));
  });

  it('ends a call after its time and is told so', async () => {
    const http = await httpServer((asked) => isCall(asked));
    const server = await mcpWorld().open(http.settings);

    await expect(call(server, 'go', {}, { timeoutMs: 100 })).rejects.toMatchObject(
      failed({ reason: 'timeout', sent: true }),
    );
    await expect.poll(() => http.asked.some(({ message }) => message.method === 'notifications/cancelled')).toBe(true);
  });
});

describe('a server over HTTP that misbehaves', () => {
  const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
  const answer = (id: unknown, text: string): string => event({ id, result: { content: [{ type: 'text', text }] } });
  const quick = { timeoutMs: 2_000 };

  /** A server that answers its first call with `body`, and each later one well. */
  async function answering(body: (id: number) => string, type = 'text/event-stream') {
    let isFirst = true;
    return httpServer((asked, response) => {
      if (!isCall(asked) || !isFirst) return undefined;
      isFirst = false;
      response.writeHead(200, { 'content-type': type }).end(body(asked.message.id ?? 0));
      return true;
    });
  }

  it('may print other events and comments before its answer', async () => {
    const http = await answering((id) => `: hello\n\nevent: log\ndata: Welcome!\n\n${answer(id, 'after the noise')}`);
    const server = await mcpWorld().open(http.settings);

    expect(textOf(await call(server, 'go', {}, quick))).toBe('after the noise');
  });

  it('has its first answer taken when it answers twice, and may answer what nobody asked', async () => {
    const http = await answering((id) => answer(4711, 'for nobody') + answer(id, 'first') + answer(id, 'second'));
    const server = await mcpWorld().open(http.settings);

    expect(textOf(await call(server, 'go', {}, quick))).toBe('first');
    expect(textOf(await call(server, 'go'))).toBe('gone');
  });

  it.each([
    ['a page', 'text/html', '<h1>Sign in</h1>'],
    ['text that is not JSON', 'application/json', 'Welcome!'],
    ['JSON that is not a message', 'application/json', '{"hello":"world"}'],
    [
      'an answer to somebody else',
      'application/json',
      JSON.stringify({ jsonrpc: '2.0', id: 4711, result: { content: [] } }),
    ],
    [
      'an answer to somebody else among notes',
      'application/json',
      JSON.stringify([{ jsonrpc: '2.0', method: 'notifications/message', params: {} }]),
    ],
    ['nothing', 'application/json', ''],
  ])('fails the one call that it answers with %s, at once', async (_what, type, body) => {
    const http = await answering(() => body, type);
    const server = await mcpWorld().open(http.settings);

    await expect(call(server, 'go', {}, { timeoutMs: 15_000 })).rejects.toMatchObject(
      failed({ sent: true, reason: expect.not.stringContaining('timeout') }),
    );
    expect(textOf(await call(server, 'go'))).toBe('gone');
  });

  it.each([
    ['a page', 'text/html', '<h1>Sign in</h1>'],
    ['text that is not JSON', 'application/json', 'Welcome!'],
  ])('is named when it greets with %s', async (_what, type, body) => {
    const http = await httpServer((_asked, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
      return true;
    });

    await expect(mcpWorld().open(http.settings)).rejects.toMatchObject(
      notStarted({ server: 'tools', reason: 'protocol' }),
    );
  });

  it('tells its tools anew after it said that they changed', async () => {
    let properties: object | null = null;
    const http = await httpServer((asked, response) => {
      const { id, method } = asked.message;
      if (method === 'initialize') {
        const capabilities = { tools: { listChanged: true } };
        return json(response, {
          id,
          result: { protocolVersion: '2025-06-18', serverInfo: { name: 'x', version: '1' }, capabilities },
        });
      }
      if (method === 'tools/list' && properties !== null) {
        return json(response, { id, result: { tools: [{ name: 'go', inputSchema: { type: 'object', properties } }] } });
      }
      if (!isCall(asked)) return undefined;
      properties = { more: { type: 'string' } };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(event({ method: 'notifications/tools/list_changed' }) + answer(id, 'changed'));
      return true;
    });
    const server = await mcpWorld().open(http.settings);
    expect((await server.tools())[0]?.inputSchema).toEqual({ type: 'object' });

    await call(server, 'go', {}, quick);

    expect((await server.tools())[0]?.inputSchema).toEqual({
      type: 'object',
      properties: { more: { type: 'string' } },
    });
  });
});

describe('a server over HTTP that cannot be used', () => {
  it.each([
    ['refuses the token', 401, 'refused'],
    ['is broken', 500, 'protocol'],
    ['has no room', 429, 'overloaded'],
    ['is away behind its proxy', 503, 'overloaded'],
    ['knows neither transport', 404, 'protocol'],
  ])('is named when it %s, without what it says', async (_what, status, reason) => {
    const http = await httpServer((asked, response) => {
      response.writeHead(status).end(`you sent ${asked.headers.authorization}`);
      return true;
    });

    const error = await mcpWorld({ bearer: async () => 'sekret-token' })
      .open(http.settings)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(notStarted({ server: 'tools', reason }));
    expect(JSON.stringify([String(error), error])).not.toContain('sekret-token');
  });

  it('is named when nothing listens', async () => {
    const http = await httpServer();
    await http.stop();

    const refused = await mcpWorld()
      .open(http.settings)
      .catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({
      ...notStarted({ reason: 'unreachable', down: true }),
      message: 'the tool server tools cannot be reached (ECONNREFUSED)',
    });
  });

  it.each(['initialize', 'tools/list'])('is given up when it does not answer %s', async (silent) => {
    const http = await httpServer(({ message }) => message.method === silent);

    await expect(mcpWorld({ config: { start_timeout_ms: 300 } }).open(http.settings)).rejects.toMatchObject(
      notStarted({ reason: 'timeout' }),
    );
  });

  it('is given up when its older transport never says where to send', async () => {
    const http = await httpServer(({ method }, response) => {
      if (method === 'POST') response.writeHead(405).end();
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n');
      return true;
    });

    await expect(mcpWorld({ config: { start_timeout_ms: 300 } }).open(http.settings)).rejects.toMatchObject(
      notStarted({ reason: 'timeout' }),
    );
  });

  it('sends its credentials to no other host that it names', async () => {
    const other = await httpServer();
    const http = await httpServer((_asked, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${other.port}/mcp` }).end();
      return true;
    });

    await expect(mcpWorld({ bearer: async () => 'sekret-token' }).open(http.settings)).rejects.toMatchObject({
      code: 'KIT_TOOL_SERVER_FAILED',
    });
    expect(other.asked).toEqual([]);
  });
});
