import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

/**
 * An MCP server over HTTP that repeats the headers it gets in all that it says: results, failures,
 * and the words of its errors. It ends with the test.
 */
export async function startIndiscreetServer(): Promise<{ readonly url: string; readonly seen: readonly string[] }> {
  const seen: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const headers = JSON.stringify({ key: request.headers['x-key'], authorization: request.headers.authorization });
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (request.method !== 'POST') return void response.writeHead(405).end(headers);
    const { id, method, params }: Message = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    seen.push(headers);
    const say = (result: object): void => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...result }));
    };
    if (method === 'initialize')
      return say({
        result: {
          protocolVersion: '2025-06-18',
          serverInfo: { name: 'http', version: '1' },
          capabilities: { tools: {} },
        },
      });
    if (method === 'tools/list')
      return say({
        result: {
          tools: ['tell', 'fail', 'refuse'].map((name) => ({
            name,
            inputSchema: { type: 'object' },
            description: 'x',
          })),
        },
      });
    if (params?.name === 'refuse') return void response.writeHead(401, { 'www-authenticate': headers }).end(headers);
    if (params?.name === 'fail') return say({ error: { code: -32_000, message: `no: ${headers}` } });
    return say({ result: { content: [{ type: 'text', text: headers }] } });
  };
  // A request that cannot be read fails the test: nobody catches it.
  const http = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, seen };
}
