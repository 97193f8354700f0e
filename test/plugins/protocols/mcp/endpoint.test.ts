import { describe, expect, it, vi } from 'vitest';
import { openClient2 } from '../../../support/mcp/clients.js';
import { openMcpServer } from '../../../support/mcp/server.js';
import { mcpWorkspace } from '../../../support/mcp/workspace.js';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** One message as a client sends it. */
const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const KEYS = {
  server: {
    auth: {
      provider: 'api_key',
      config: {
        keys: [
          { key_ref: 'env:READER', client_id: 'reader', tier: 'read' },
          { key_ref: 'env:RUNNER', client_id: 'runner', tier: 'run' },
        ],
      },
    },
  },
};
const VARIABLES = { READER: 'reader-secret-0123456789', RUNNER: 'runner-secret-0123456789' };
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

describe('the endpoint of MCP', { timeout: 60_000 }, () => {
  it('answers each call of a batch, also beside a notice that takes it back', async () => {
    const { url } = await openMcpServer(mcpWorkspace());
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'x' } };
    for (const batch of [
      [PING, cancelled],
      [cancelled, PING],
    ])
      expect(await (await post(`${url}/mcp/`, batch)).json()).toMatchObject({ id: 1, result: {} });
    expect((await post(`${url}/mcp/`, [cancelled])).status).toBe(202);
  });

  it('answers with JSON, at both of its addresses, and keeps no session', async () => {
    const { url } = await openMcpServer(mcpWorkspace());
    for (const path of ['/mcp', '/mcp/']) {
      const answer = await post(`${url}${path}`, PING);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(answer.headers.get('mcp-session-id')).toBeNull();
      expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    }
    for (const method of ['GET', 'DELETE']) {
      const refused = await fetch(`${url}/mcp/`, { method });
      expect(refused.status).toBe(405);
      expect(refused.headers.get('allow')).toBe('OPTIONS, POST');
    }
  });

  it('refuses a call that its list rules out, and says how to go on', async () => {
    const { url, app, workspace } = await openMcpServer(mcpWorkspace());
    const call = async (name: string, args: unknown) =>
      (await post(`${url}/mcp/`, { ...PING, method: 'tools/call', params: { name, arguments: args } })).json();

    expect(await call('run_idl', {})).toMatchObject({
      error: { code: -32602, message: 'there is no tool run_idl. Did you mean run_idle?' },
    });
    expect(await call('zzzzzzzzzz', {})).toMatchObject({
      error: { message: 'there is no tool zzzzzzzzzz. tools/list shows what there is.' },
    });
    expect(await call('run_idle', { input: ' \n' })).toMatchObject({
      result: { isError: true, content: [{ text: 'input is empty. tools/list shows the arguments of the tool.' }] },
    });
    expect(await app.jobs.list({ workspace })).toEqual([]);
  });

  it('asks callers for what POST /run asks them', async () => {
    const { url, app, workspace } = await openMcpServer(mcpWorkspace(KEYS), { variables: VARIABLES });
    const call = { ...PING, method: 'tools/call', params: { name: 'run_idle', arguments: { input: 'hi' } } };

    expect((await post(`${url}/mcp/`, call)).status).toBe(401);
    expect((await post(`${url}/mcp/`, call, bearer('nobody'))).status).toBe(401);
    const refused = await post(`${url}/mcp/`, call, bearer(VARIABLES.READER));
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'scope-missing']);
    expect((await post(`${url}/mcp/`, call, bearer(VARIABLES.RUNNER))).status).toBe(200);
    const jobs = await app.jobs.list({ workspace });
    expect(jobs.map(({ submittedBy }) => submittedBy)).toEqual([
      { identity: 'runner', clientName: 'runner', assurance: 'authenticated' },
    ]);
  });

  it('is not there when it is switched off, and no tool server was started for it', async () => {
    const { url, write, app } = await openMcpServer(mcpWorkspace({ server: { mcp: { enabled: false } } }));
    const off = await post(`${url}/mcp/`, PING);
    expect([off.status, ((await off.json()) as { code: string }).code]).toEqual([404, 'route-unknown']);

    await write(mcpWorkspace());
    await app.serve.reload();
    expect((await post(`${url}/mcp/`, PING)).status).toBe(200);
  });

  it('is open to no page of another origin, and to no other name of this address', async () => {
    const { url } = await openMcpServer(mcpWorkspace(), { origins: ['https://app.example'] });
    const codeOf = async (headers: Readonly<Record<string, string>>) => {
      const answer = await post(`${url}/mcp/`, PING, headers);
      return answer.status === 200 ? 200 : ((await answer.json()) as { code: string }).code;
    };

    expect(await codeOf({ origin: 'https://evil.example' })).toBe('origin-refused');
    expect(await codeOf({ origin: 'null' })).toBe('origin-refused');
    expect(await codeOf({ origin: 'https://app.example' })).toBe(200);
    const preflight = await fetch(`${url}/mcp/`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,mcp-protocol-version,mcp-method,mcp-name',
      },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
  });

  it('refuses what is not a message of the protocol', async () => {
    const { url } = await openMcpServer(mcpWorkspace());
    const reported = async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const answer = await post(`${url}/mcp/`, body, headers);
      const text = await answer.text();
      const { code, error } = (text === '' ? {} : JSON.parse(text)) as { code?: string; error?: { code: number } };
      return [answer.status, code ?? error?.code ?? null];
    };

    expect(await reported('{"a":')).toEqual([400, 'request-malformed']);
    expect(await reported('5')).toEqual([422, 'request-invalid']);
    expect(await reported({})).toEqual([400, -32_600]);
    // Found by fuzzing: what checks a message calls itself for each level.
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    expect(await reported(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep}}}`)).toEqual([400, -32_600]);
    expect(await reported({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual([202, null]);
    expect(await reported({ ...PING, method: 'no/such' })).toEqual([200, -32_601]);
    expect(await reported({ ...PING, method: 'sampling/createMessage', params: {} })).toEqual([200, -32_601]);
    expect(await reported(PING, { 'content-type': 'text/plain' })).toEqual([415, 'media-type-unsupported']);
    expect(await reported(PING, { accept: 'application/json' })).toEqual([406, -32_000]);
  });

  it('tells a client that listens that the list of tools has changed', async () => {
    const { url, app, write } = await openMcpServer(mcpWorkspace());
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const changed = Promise.withResolvers<void>();
    const { client } = await openClient2(new StreamableHTTPClientTransport(new URL(`${url}/mcp/`)), '2026');
    client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve());
    const subscription = await client.listen({ toolsListChanged: true });

    await write({ 'topologies/idle.yaml': mcpWorkspace()['topologies/idle.yaml'] ?? '' });
    await app.serve.reload();

    await expect(changed.promise).resolves.toBeUndefined();
    await subscription.close();
  });

  it.each([{}, { _meta: { progressToken: 1 } }])('answers what waits when the server stops (%j)', async (marks) => {
    const { url, stop, app, workspace } = await openMcpServer(
      mcpWorkspace({ server: { jobs: { shutdown_seconds: 0 } } }),
    );
    const params = { name: 'run_steps', arguments: { input: 'x' }, ...marks };
    const waiting = post(`${url}/mcp/`, { ...PING, method: 'tools/call', params }).then((answer) => answer.text());
    await vi.waitUntil(async () => (await app.jobs.list({ workspace }))[0]?.status === 'running', 20_000);

    await stop();

    expect(await waiting).toMatch(/"status":"(running|pending)"/);
  });
});
