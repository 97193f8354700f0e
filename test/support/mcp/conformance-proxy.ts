import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** `test_simple_text` is the topology `test-simple-text`: names of topologies have dashes. */
const toOurs = (name: string): string => `run_${name.replaceAll('_', '-')}`;
const toTheirs = (text: string): string =>
  text.replaceAll(/run_(test-[a-z-]+)/g, (_all, name: string) => name.replaceAll('-', '_'));

/**
 * The suite calls its tools `test_*`; a topology's is called `run_<name>`. Between the two stands
 * this: names of tools are put into the other's words, and nothing else is touched.
 */
export async function openConformanceProxy(url: string): Promise<string> {
  const proxy = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      forward(Buffer.concat(chunks).toString('utf8'));
    });
    function forward(sent: string): void {
      const { 'mcp-name': name } = request.headers;
      const body = sent.replaceAll(/"name":\s*"(test_\w+)"/g, (_all, tool: string) => `"name":"${toOurs(tool)}"`);
      // With the Host that was asked for: whether it is known is part of what is tried.
      const asked = httpRequest(new URL(request.url ?? '/', url), {
        method: request.method,
        headers: {
          ...request.headers,
          ...(typeof name === 'string' && name.startsWith('test_') ? { 'mcp-name': toOurs(name) } : {}),
          'content-length': Buffer.byteLength(body),
        },
      });
      asked.once('error', () => response.destroy());
      asked.once('response', (answer) => {
        const { 'content-length': _length, 'transfer-encoding': _transfer, ...headers } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, headers);
        answer.setEncoding('utf8').on('data', (text: string) => response.write(toTheirs(text)));
        answer.once('end', () => response.end());
      });
      response.once('close', () => asked.destroy());
      asked.end(body);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}
