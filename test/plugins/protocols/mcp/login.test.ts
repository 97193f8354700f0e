import { ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLIENT_SECRET, startOidc, type TestOidc } from '../../../support/components/oidc.js';
import { openClient2 } from '../../../support/mcp/clients.js';
import { openMcpServer } from '../../../support/mcp/server.js';
import { mcpWorkspace } from '../../../support/mcp/workspace.js';

async function openOidc(): Promise<TestOidc> {
  const oidc = await startOidc();
  onTestFinished(() => oidc.close());
  return oidc;
}
const jwt = ({ issuer }: TestOidc, more: Readonly<Record<string, unknown>> = {}) =>
  mcpWorkspace({ server: { auth: { provider: 'jwt', config: { issuer } }, ...more } });

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const post = (url: string) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });

describe('a server whose callers have tokens of an OAuth server', { timeout: 60_000 }, () => {
  it('tells a client that has none where to get one', async () => {
    const oidc = await openOidc();
    const { url } = await openMcpServer(jwt(oidc));

    for (const path of ['/mcp/', '/mcp']) {
      const refused = await post(`${url}${path}`);
      const [, address = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
      expect([refused.status, address]).toEqual([401, `${url}${WELL_KNOWN}${path}`]);
      expect(await (await fetch(address)).json()).toEqual({
        resource: `${url}${path}`,
        authorization_servers: [oidc.issuer],
        bearer_methods_supported: ['header'],
        scopes_supported: ['serve:run'],
        resource_name: 'Served',
      });
    }
    expect((await post(`${url}/run/idle`)).headers.get('www-authenticate')).toBe('Bearer realm="kit"');
  });

  it('lets a client in that has read it and got one', async () => {
    const oidc = await openOidc();
    const { url, app, workspace } = await openMcpServer(jwt(oidc));
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp/`), {
      authProvider: new ClientCredentialsProvider({
        clientId: 'alice',
        clientSecret: CLIENT_SECRET,
        scope: 'serve:read serve:run',
      }),
    });
    const client = await openClient2(transport, '2026');

    expect((await client.call('run_idle', { input: 'hi' })).structuredContent?.status).toBe('completed');
    expect((await app.jobs.list({ workspace })).map(({ submittedBy }) => submittedBy)).toMatchObject([
      { identity: 'alice', assurance: 'authenticated' },
    ]);
  });

  it('names the address that it is reached at, and none that a stranger sends', async () => {
    const oidc = await openOidc();
    const { url } = await openMcpServer(jwt(oidc, { public_url: 'https://kit.example/team/' }));

    const { headers } = await post(`${url}/mcp/`);
    expect(headers.get('www-authenticate')).toContain(`="https://kit.example/team${WELL_KNOWN}/mcp/"`);
  });

  it('is not there where nobody gives tokens, or MCP is switched off', async () => {
    const oidc = await openOidc();
    const { url: open } = await openMcpServer(mcpWorkspace());
    const { url: off } = await openMcpServer(jwt(oidc, { mcp: { enabled: false } }));

    expect((await fetch(`${open}${WELL_KNOWN}/mcp/`)).status).toBe(404);
    expect((await fetch(`${off}${WELL_KNOWN}/mcp/`)).status).toBe(404);
  });
});
