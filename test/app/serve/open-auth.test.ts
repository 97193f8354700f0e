import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { guardAuth } from '../../../src/app/serve/auth/guard-auth.js';
import { startFacts, startRefusals, startWarnings } from '../../../src/app/serve/auth/start-facts.js';
import type { AuthProvider, AuthVerdict, Caller } from '../../../src/domain/ports/http.js';
import { type AuthScene, openAuthScene } from '../../support/serving/auth-scene.js';

const HEAD = 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\nmemory: { enabled: false }\n';
const ROLES = `apiVersion: kit/v1
kind: RoleRegistry
metadata: { id: people, name: People }
roles: [{ id: lead, members: [alice], scopes: ['serve:admin', 'release:approve'] }]
`;
const FILE_SECRET = 'the-secret-that-lies-in-a-file';
const HOME_SECRET = 'the-secret-that-lies-at-home';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kit-auth-'));
  await mkdir(join(root, 'home'));
  await writeFile(join(root, 'home', 'key'), `${HOME_SECRET}\n`);
});
afterAll(() => rm(root, { recursive: true, force: true }));

let count = 0;
/** A directory with this workspace file, opened with a private home. */
async function scene(
  yaml: string,
  env: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<AuthScene> {
  const directory = join(root, `w${count++}`);
  for (const [path, text] of Object.entries({ 'workspace.yaml': `${HEAD}${yaml}`, ...files })) {
    await mkdir(join(directory, path, '..'), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  const opened = await openAuthScene(directory, { HOME: join(root, 'home'), ...env });
  onTestFinished(opened.close);
  return opened;
}

const callerOf = async (provider: AuthProvider, token: string): Promise<string> => {
  const verdict = await provider.authenticate({ authorization: `Bearer ${token}` });
  return verdict.kind === 'caller' ? verdict.caller.clientId : verdict.detail;
};

describe('authentication of a server', () => {
  it('takes keys from the environment, files and credentials', async () => {
    const { open } = await scene(
      `credentials: { ops: { source: env, config: { env: OPS } } }
server:
  auth:
    provider: api_key
    config:
      keys:
        - { key_ref: 'env:CI', client_id: ci, tier: read }
        - { key_ref: 'file:keys/web', client_id: web, tier: read }
        - { key_ref: 'file:~/key', client_id: home, tier: read }
        - { key_ref: 'credentials:ops', client_id: ops, tier: admin }
`,
      { CI: 'the-secret-of-the-build-machine', OPS: 'the-secret-of-operations' },
      { 'keys/web': `${FILE_SECRET}\n` },
    );

    const { name, provider, warnings } = await open();

    expect([name, warnings, provider.identities]).toEqual(['api_key', [], ['ci', 'web', 'home', 'ops']]);
    expect(await callerOf(provider, 'the-secret-of-the-build-machine')).toBe('ci');
    expect(await callerOf(provider, FILE_SECRET)).toBe('web');
    expect(await callerOf(provider, HOME_SECRET)).toBe('home');
    expect(await callerOf(provider, 'the-secret-of-operations')).toBe('ops');
    expect(await callerOf(provider, `${FILE_SECRET}\n`)).toBe(
      'the Authorization header is not of the form Bearer <token>',
    );
  });

  it('starts with a warning for each key that is not there, and not at all without any', async () => {
    const keys = (list: string): string => `server: { auth: { provider: api_key, config: { keys: [${list}] } } }\n`;
    const gone = "{ key_ref: 'env:GONE', client_id: gone, tier: read }";
    const some = await scene(
      keys(
        `${gone}, { key_ref: 'file:none', client_id: file, tier: read }, { key_ref: 'env:CI', client_id: ci, tier: read }`,
      ),
      {
        CI: 'the-secret-of-the-build-machine',
      },
    );
    const none = await scene(keys(gone));

    expect((await some.open()).warnings).toEqual([
      'the key of "gone" is without effect: the environment variable GONE is not set',
      'the key of "file" is without effect: the file none cannot be read',
    ]);
    await expect(none.open()).rejects.toMatchObject({
      code: 'KIT_AUTH_INVALID',
      message: expect.stringContaining('GONE is not set'),
    });
  });

  it('refuses a key whose tier has a scope that a role confers', async () => {
    const { open } = await scene(
      "server: { auth: { provider: api_key, config: { keys: [{ key_ref: 'env:CI', client_id: ci, tier: admin }] } } }\n",
      { CI: 'the-secret-of-the-build-machine' },
      { 'roles/people.yaml': ROLES },
    );

    await expect(open()).rejects.toMatchObject({
      code: 'KIT_AUTH_INVALID',
      message: expect.stringContaining('would carry serve:admin'),
    });
  });

  it('of a workspace that says nothing is none: everybody is anonymous', async () => {
    const { provider, name } = await (await scene('')).open();

    expect(name).toBe('none');
    expect(await provider.authenticate({ authorization: undefined })).toEqual({
      kind: 'caller',
      caller: {
        clientId: 'anonymous',
        clientName: 'Anonymous',
        provider: 'none',
        scopes: ['*'],
        assurance: 'asserted',
      },
    });
  });

  it('starts while the issuer is down', async () => {
    const { open } = await scene('server: { auth: { provider: jwt, issuer: "http://127.0.0.1:1" } }\n');

    const { provider } = await open();

    expect(provider.info()).toEqual({ mode: 'jwt', oidc: { issuer: 'http://127.0.0.1:1', audience: 'kit' } });
    await expect(provider.authenticate({ authorization: 'Bearer a.b.c' })).rejects.toMatchObject({
      code: 'KIT_NOT_READY',
      httpStatus: 503,
    });
  });

  it('reads the local operator from config first', async () => {
    const { provider } = await (
      await scene('server: { auth: { identity: outer, identity_name: Outer, config: { identity: inner } } }\n')
    ).open();

    expect(await provider.authenticate({ authorization: undefined })).toMatchObject({
      caller: { clientId: 'inner', clientName: 'Outer' },
    });
  });
});

describe('the facts of a start', () => {
  const SETTINGS = {
    host: '0.0.0.0',
    insecure: false,
    profile: 'production',
    corsOrigins: ['*'],
    oauthKey: 'unset',
  } as const;

  it('are read from the workspace, the plugins and the command line', async () => {
    const { workspace, roles, open } = await scene(
      `mcp_servers:
  - { id: files, transport: stdio, command: [serve] }
  - { id: safe, transport: stdio, command: [serve], sandboxed: true }
server: { auth: { identity: operator } }
`,
      {},
      {
        'roles/people.yaml': ROLES,
        'archetypes/coder.yaml': `apiVersion: kit/v1
kind: Archetype
metadata: { id: coder, name: Coder, description: A coder for tests. }
role: worker
defaults: {}
executor: { kind: harness, ref: claude-code }
provenance: { authored_by: human, version: 1.0.0 }
`,
        'topologies/t.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: t, version: 1.0.0 }
agents: { root: { id: root, role: root, children: [{ id: coder, role: worker, archetype: coder }] } }
`,
      },
    );
    const { provider } = await open();

    const facts = startFacts(workspace, {
      settings: SETTINGS,
      roles,
      identities: provider.identities,
      plugins: [
        { name: 'mine', origin: 'linked' },
        { name: 'theirs', origin: 'user' },
      ],
    });

    expect(facts).toMatchObject({
      provider: 'none',
      requireOnNonloopback: true,
      mcpServers: [
        { id: 'files', sandboxed: false },
        { id: 'safe', sandboxed: true },
      ],
      uncontainedHarnesses: ['claude-code'],
      linkedPlugins: ['mine'],
      identities: ['operator'],
    });
    expect(startRefusals(facts).map(({ gaps }) => gaps.length)).toEqual([0, 4]);
    expect(startWarnings(facts)).toContainEqual(expect.stringContaining('operator is in no role'));
  });
});

describe('whatever an auth provider says', () => {
  const caller: Caller = {
    clientId: 'alice',
    clientName: 'Alice',
    provider: 'other',
    scopes: ['serve:read'],
    assurance: 'authenticated',
  };
  const saying = (verdict: AuthVerdict): AuthProvider => ({
    authenticate: async () => verdict,
    info: () => ({ mode: 'other' }),
    warnings: [],
    identities: null,
  });

  function guarded(over: Partial<Caller>, name = 'acme') {
    const logged: unknown[] = [];
    const log = { warn: (message: string, data?: object) => void logged.push([message, data]) };
    const provider = guardAuth(saying({ kind: 'caller', caller: { ...caller, ...over } }), {
      name,
      humanScopes: new Set(['release:approve']),
      log,
    });
    return { provider, logged };
  }

  it('no caller has a scope of people, and that is logged once', async () => {
    const { provider, logged } = guarded({
      scopes: ['*', 'serve:run', 'release:approve', 'Release:Approve', 'audit:x', 'iam:*'],
    });

    const verdicts = [
      await provider.authenticate({ authorization: 'x' }),
      await provider.authenticate({ authorization: 'x' }),
    ];

    for (const verdict of verdicts)
      expect(verdict).toMatchObject({ caller: { scopes: ['serve:run'], provider: 'acme' } });
    expect(logged).toEqual([
      [
        expect.any(String),
        {
          provider: 'acme',
          clientId: 'alice',
          scopes: ['*', 'release:approve', 'Release:Approve', 'audit:x', 'iam:*'],
        },
      ],
    ]);
  });

  it('only none keeps the wildcard, and its callers are asserted', async () => {
    expect(await guarded({ scopes: ['*'] }, 'none').provider.authenticate({ authorization: undefined })).toMatchObject({
      caller: { scopes: ['*'], assurance: 'asserted' },
    });
  });

  it.each(['', ' ', 'a\u0000b', 'a\u202eb', 'x'.repeat(257)])('a caller called %j is refused', async (clientId) => {
    expect(await guarded({ clientId }).provider.authenticate({ authorization: 'x' })).toMatchObject({
      kind: 'refused',
      error: 'invalid_token',
    });
  });

  it('a name that cannot be shown gives way to the id', async () => {
    expect(await guarded({ clientName: 'a\u001b[2Jb' }).provider.authenticate({ authorization: 'x' })).toMatchObject({
      caller: { clientName: 'alice' },
    });
  });

  it('an answer that is none is not a caller', async () => {
    const provider = guardAuth(saying({ kind: 'yes' } as never), {
      name: 'acme',
      humanScopes: new Set(),
      log: { warn: () => {} },
    });

    await expect(provider.authenticate({ authorization: 'x' })).rejects.toMatchObject({
      code: 'KIT_PLUGIN_CALL_FAILED',
    });
  });

  it('it is called what the workspace calls it', () => {
    expect(guarded({}).provider.info()).toEqual({ mode: 'acme' });
  });
});
