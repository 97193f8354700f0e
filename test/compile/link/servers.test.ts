import { expect, it } from 'vitest';
import { linkServers } from '../../../src/compile/link/servers.js';
import { compileSources, errorsOf, WORKSPACE } from '../../support/compile.js';

it('a server with nothing but how it is reached is cautious, and nothing is known of its tools', () => {
  const servers = linkServers([{ id: 'files', transport: 'stdio', command: ['serve', '.'] }]);

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
    permission_overrides: { look: 'open' },
    effects: { look: 'read', wipe: 'destructive' },
    on_in_doubt: { wipe: 'fail' },
  } as const;

  expect(linkServers([server]).get('api')).toEqual({
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

it('never sees a tier that there is not: the schema refuses it', async () => {
  const result = await compileSources({
    'workspace.yaml': `${WORKSPACE}mcp_servers:
  - { id: api, transport: http, endpoint: "https://api", permission_overrides: { odd: loose } }
`,
  });

  expect(errorsOf(result)).toEqual([expect.stringContaining('/mcp_servers/0/permission_overrides/odd')]);
});

it('is opened by the source that it names', () => {
  const server = { id: 'wiki', source: 'wiki', transport: 'http', endpoint: 'https://wiki' } as const;

  expect(linkServers([server]).get('wiki')).toMatchObject({
    source: 'wiki',
    config: { transport: 'http', endpoint: 'https://wiki' },
  });
});
