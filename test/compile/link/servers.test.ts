import { expect, it } from 'vitest';
import { linkServers } from '../../../src/compile/link/servers.js';

it('a server with nothing but how it is reached is cautious, and nothing is known of its tools', () => {
  const servers = linkServers({ mcp_servers: [{ id: 'files', transport: 'stdio', command: ['serve', '.'] }] });

  expect(servers.get('files')).toEqual({
    id: 'files',
    source: 'mcp',
    config: { transport: 'stdio', command: ['serve', '.'] },
    credentialsRef: null,
    permission: 'cautious',
    permissionOverrides: {},
    effects: {},
    onInDoubt: {},
  });
});

it('keeps references as they were written, and tells the source nothing of tiers, effects and credentials', () => {
  const server = {
    id: 'api',
    transport: 'http',
    endpoint: 'https://${HOST}/mcp',
    headers: { 'x-key': '{credential.key}' },
    credentials_ref: 'key',
    permission: 'strict',
    permission_overrides: { look: 'open', odd: 'loose' },
    effects: { look: 'read', wipe: 'destructive' },
    on_in_doubt: { wipe: 'fail' },
  };

  expect(linkServers({ mcp_servers: [server] }).get('api')).toEqual({
    id: 'api',
    source: 'mcp',
    config: { transport: 'http', endpoint: server.endpoint, headers: server.headers },
    credentialsRef: 'key',
    permission: 'strict',
    permissionOverrides: { look: 'open' },
    effects: { look: 'read', wipe: 'destructive' },
    onInDoubt: { wipe: 'fail' },
  });
});

it('is opened by the source that it names', () => {
  const server = { id: 'wiki', source: 'wiki', transport: 'http', endpoint: 'https://wiki' };

  expect(linkServers({ mcp_servers: [server] }).get('wiki')).toMatchObject({
    source: 'wiki',
    config: { transport: 'http', endpoint: 'https://wiki' },
  });
});
