import { expect, test } from 'vitest';
import { openMcpServer } from '../../support/mcp/server.js';
import { showsEffect } from '../../support/shows-effect.js';
import { filesBelow } from './files-below.js';
import { MCP_PROOFS, OFFERED } from './proofs/mcp-proofs.js';

/** What a call of a topology answers that ends within seconds. */
async function calledIn(directory: string): Promise<unknown> {
  const { url, stop } = await openMcpServer(await filesBelow(directory));
  const answer = await fetch(`${url}/mcp/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'run_idle', arguments: { input: 'hi' } },
    }),
  });
  const body = (await answer.json()) as { result?: { structuredContent?: { status?: string } } };
  await stop();
  return [answer.status, body.result?.structuredContent?.status === 'completed'];
}

test.each(MCP_PROOFS)('$key changes what a client of MCP is answered', { timeout: 120_000 }, async ({ key, a, b }) => {
  await expect(showsEffect(key, a, b, { base: OFFERED, observe: calledIn })).resolves.toBeUndefined();
});
