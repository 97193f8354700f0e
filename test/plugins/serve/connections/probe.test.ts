import { describe, expect, it, onTestFinished } from 'vitest';
import { contribution } from '../../../../plugins/serve/src/mounts/connections/mount.js';
import type { ConnectionsApp } from '../../../../src/app/connections/connections-app.js';
import { KitError } from '../../../../src/domain/errors.js';
import type { OAuthProbe } from '../../../../src/domain/ports/credential-source.js';
import { as, serveGroup } from '../../../support/http/serve-group.js';

const ENDPOINT = 'https://mcp.example/mcp';

/** The answer of the server to a caller, where the probe says this. */
async function answer(probe: OAuthProbe | KitError, who: 'read' | 'run' | 'admin', query = `?endpoint=${ENDPOINT}`) {
  const asked: string[] = [];
  const connections: Pick<ConnectionsApp, 'probe'> = {
    probe: async ({ endpoint }) => {
      asked.push(endpoint);
      if (probe instanceof KitError) throw probe;
      return probe;
    },
  };
  const server = await serveGroup(contribution, { connections });
  onTestFinished(() => server.close());
  const response = await server.inject({ url: `/auth/mcp/probe${query}`, headers: as(who) });
  return { status: response.statusCode, body: response.json(), asked };
}

describe('GET /auth/mcp/probe', () => {
  it('says where the authorization server is', async () => {
    const probe = {
      isSupported: true,
      issuer: 'https://as.example',
      authorizationEndpoint: 'https://as.example/authorize',
      scopes: ['notes'],
      supportsRegistration: true,
    } as const;

    expect(await answer(probe, 'admin')).toEqual({
      status: 200,
      asked: [ENDPOINT],
      body: {
        supported: true,
        issuer: 'https://as.example',
        authorization_endpoint: 'https://as.example/authorize',
        scopes_supported: ['notes'],
        supports_registration: true,
      },
    });
  });

  it('says why a server is not taken for one that speaks OAuth', async () => {
    expect(await answer({ isSupported: false, detail: 'no S256' }, 'admin')).toMatchObject({
      status: 200,
      body: { supported: false, detail: 'no S256' },
    });
  });

  it('calls nobody for callers below admin, nor without an address', async () => {
    const probe = { isSupported: false, detail: '' } as const;

    expect(await answer(probe, 'run')).toMatchObject({ status: 403, asked: [] });
    expect(await answer(probe, 'admin', '')).toMatchObject({ status: 422, asked: [] });
  });

  it('refuses an address that kit does not call', async () => {
    const refused = new KitError('KIT_OUTBOUND_REFUSED', '169.254.169.254 is a link-local address');

    expect(await answer(refused, 'admin')).toMatchObject({ status: 422, body: { code: 'outbound-refused' } });
  });
});
