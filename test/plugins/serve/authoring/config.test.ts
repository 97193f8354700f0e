import { describe, expect, it } from 'vitest';
import { maskLiterals } from '../../../../src/app/editing/mask-literals.js';
import { skill, topology, trigger } from '../../../compile/rules/artifact-text.js';
import { WORKSPACE } from '../../../support/compile.js';
import { editedWorkspace } from '../../../support/http/edited-workspace.js';

const CONFIG = `${WORKSPACE}# who may be called
credentials:
  github: { source: env, config: { env: GITHUB_TOKEN } }   # the bot
  vault:
    source: file
    config: { path: ./secret.txt, password: hunter2-literal }
  hook: { source: env, config: { var: HOOK } }
mcp_servers:
  - id: search   # the index
    transport: http
    endpoint: https://user:s3cr3t-pass@search.example/mcp?token=abcdef123456&page=1
    headers:
      Authorization: Bearer literal-secret-value
      X-Api-Key: "\${SEARCH_KEY}"
      Accept: application/json
    credentials_ref: github
  - id: files
    transport: stdio
    command: [npx, server, --token, literal-token-1, --api-key=literal-key-2, --root, /data]
    env: { API_TOKEN: literal-token-3, LEVEL: debug, BEARER_TOKEN: "\${T}" }
events:
  - { sink: webhook, url: "https://hooks.example/x?signature=literal-sig-4", credentials_ref: github }
`;
const SOURCES = { 'workspace.yaml': CONFIG, 'topologies/t.yaml': topology('t', 'children: []') };
const SECRETS = /hunter2|s3cr3t|abcdef123456|literal-/;

describe('reading the settings', () => {
  it('credentials show where they come from, and nothing else', async () => {
    const { ask } = await editedWorkspace(SOURCES, {
      resolves: async (_workspace, refs) => new Map(refs.map((ref) => [ref, ref === 'github'])),
    });
    expect((await ask('GET', '/api/workspace/config')).json().credentials).toEqual([
      { id: 'github', source: 'env', config: { env: 'GITHUB_TOKEN' }, identity: null, resolves: true },
      { id: 'vault', source: 'file', config: { path: './secret.txt' }, identity: null, resolves: false },
      { id: 'hook', source: 'env', config: { var: 'HOOK' }, identity: null, resolves: false },
    ]);
  });

  it('literals that look like secrets are masked, and references stay text', async () => {
    const { ask } = await editedWorkspace(SOURCES);
    const answer = await ask('GET', '/api/workspace/config');
    const [search, files] = answer.json().mcp_servers;

    expect(answer.body).not.toMatch(SECRETS);
    expect(search).toMatchObject({
      endpoint: 'https://[MASKED]@search.example/mcp?token=[MASKED]&page=1',
      headers: { Authorization: 'Bearer [MASKED]', 'X-Api-Key': '${SEARCH_KEY}', Accept: 'application/json' },
      credentials_ref: 'github',
    });
    expect(files.command).toEqual(['npx', 'server', '--token', '[MASKED]', '--api-key=[MASKED]', '--root', '/data']);
    expect(files.env).toEqual({ API_TOKEN: '[MASKED]', LEVEL: 'debug', BEARER_TOKEN: '${T}' });
    expect(answer.json().events).toEqual([
      { sink: 'webhook', url: 'https://hooks.example/x?signature=[MASKED]', credentials_ref: 'github' },
    ]);
    expect(answer.headers.etag).toMatch(/^"[0-9a-f]{64}"$/);
  });

  it('known secrets are masked wherever they stand', async () => {
    const { ask } = await editedWorkspace(
      { 'workspace.yaml': CONFIG.replace('LEVEL: debug', 'LEVEL: from-the-environment') },
      { maskOf: async () => (text) => text.replaceAll('from-the-environment', '[MASKED]') },
    );
    expect((await ask('GET', '/api/workspace/config')).body).not.toContain('from-the-environment');
  });

  it('an empty workspace has empty sections, and a broken artifact keeps nobody from reading them', async () => {
    const { ask } = await editedWorkspace({ 'topologies/t.yaml': 'a: [' });
    expect((await ask('GET', '/api/workspace/config')).json()).toEqual({
      credentials: [],
      mcp_servers: [],
      events: [],
    });
  });

  it.each([
    ['sk-abcdefghijklmnop in a text', 'x', 'use [MASKED] in a text', 'use sk-abcdefghijklmnop in a text'],
    ['a name of a reference', 'credentials_ref', 'github', 'github'],
    ['a variable in a URL', 'url', 'https://${USER}:${PASS}@x', 'https://${USER}:${PASS}@x'],
    ['a credential template', 'Authorization', 'Bearer {credential.a}', 'Bearer {credential.a}'],
    ['a default of a variable', 'Authorization', '${A:-[MASKED]}', '${A:-x}'],
  ])('%s', (_name, key, shown, written) => {
    expect(maskLiterals(written, key)).toBe(shown);
  });
});

describe('changing the settings', () => {
  it('an entry is set where it stands, and every comment stays', async () => {
    const { ask, read } = await editedWorkspace(SOURCES);
    const answer = await ask('PUT', '/api/workspace/config/credentials/github', {
      source: 'env',
      config: { env: 'GH_TOKEN' },
    });

    expect(answer.json()).toEqual({ saved: true, entry: 'credentials/github', reloaded: true });
    expect(await read('workspace.yaml')).toBe(CONFIG.replace('GITHUB_TOKEN', 'GH_TOKEN'));
    expect((await ask('GET', '/api/workspace/config')).headers.etag).toBe(answer.headers.etag);
  });

  it('a new entry stands behind the others, and the id of a server comes from the path', async () => {
    const { ask, read } = await editedWorkspace(SOURCES);
    expect(
      (await ask('PUT', '/api/workspace/config/credentials/new', { source: 'env', config: { env: 'NEW' } })).statusCode,
    ).toBe(200);
    expect(
      (await ask('PUT', '/api/workspace/config/mcp_servers/more', { transport: 'stdio', command: ['x'] })).statusCode,
    ).toBe(200);
    const text = await read('workspace.yaml');
    expect(text).toContain('  new:\n    source: env\n    config:\n      env: NEW\nmcp_servers:\n');
    expect(text).toContain('  - id: more\n    transport: stdio\n    command:\n      - x\nevents:\n');
  });

  it('the first entry makes its section, and the last one takes it along', async () => {
    const { ask, read } = await editedWorkspace({});
    await ask('PUT', '/api/workspace/config/credentials/a', { source: 'env', config: { env: 'A' } });
    expect(await read('workspace.yaml')).toBe(
      `${WORKSPACE}credentials:\n  a:\n    source: env\n    config:\n      env: A\n`,
    );
    expect((await ask('DELETE', '/api/workspace/config/credentials/a')).json()).toEqual({
      saved: true,
      entry: 'credentials/a',
      reloaded: true,
    });
    expect(await read('workspace.yaml')).toBe(WORKSPACE);
  });

  it('what is used is not removed and its users are named, webhooks among them', async () => {
    const HOOK = trigger(
      'hook',
      'type: webhook\ntargets: [t]\nconfig: { path: /hooks/x, auth: { method: bearer, credentials_ref: hook } }\n',
    );
    const USER = skill('find', '{ type: mcp_tool, server: files, tool: x }');
    const world = await editedWorkspace({ ...SOURCES, 'triggers/h.yaml': HOOK, 'skills/find.yaml': USER });
    for (const [entry, user] of [
      ['credentials/github', 'workspace.yaml'],
      ['credentials/hook', 'triggers/h.yaml'],
      ['mcp_servers/files', 'skills/find.yaml'],
    ] as const) {
      const answer = await world.ask('DELETE', `/api/workspace/config/${entry}`);
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'edit-in-use']);
      expect(answer.json().detail).toContain(user);
    }
    expect(await world.read('workspace.yaml')).toBe(CONFIG);
  });

  it.each([
    ['PUT', 'governance/provider', { a: 1 }, 400, 'request-malformed'],
    ['PUT', 'events/0', { sink: 'stdout' }, 400, 'request-malformed'],
    ['DELETE', 'server/port', undefined, 400, 'request-malformed'],
    ['DELETE', 'credentials/nobody', undefined, 404, 'edit-unknown'],
    ['DELETE', 'mcp_servers/nobody', undefined, 404, 'edit-unknown'],
    ['PUT', 'credentials/..%2f..', { source: 'env', config: { env: 'A' } }, 422, 'edit-invalid'],
    ['PUT', 'credentials/new', { source: 'nowhere', config: {} }, 422, 'edit-invalid'],
    ['PUT', 'credentials/new', { source: 'env', config: { env: 'A' }, value: 'x' }, 422, 'edit-invalid'],
    ['PUT', 'mcp_servers/search', { id: 'other', transport: 'http', endpoint: 'https://x' }, 422, 'edit-invalid'],
    [
      'PUT',
      'mcp_servers/search',
      { transport: 'http', endpoint: 'https://x', headers: { Authorization: 'Bearer [MASKED]' } },
      422,
      'edit-invalid',
    ],
    ['PUT', 'mcp_servers/Search', { transport: 'http', endpoint: 'https://x' }, 422, 'edit-invalid'],
    ['PUT', 'credentials/new', [], 422, 'request-invalid'],
  ] as const)('%s %s is refused and writes nothing', async (method, entry, body, status, code) => {
    const { ask, read } = await editedWorkspace(SOURCES);
    const answer = await ask(method, `/api/workspace/config/${entry}`, body);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(await read('workspace.yaml')).toBe(CONFIG);
  });

  it('a stale tag is refused with 412', async () => {
    const { ask, read } = await editedWorkspace(SOURCES);
    const stale = { 'if-match': '"old"' };
    expect(
      (await ask('PUT', '/api/workspace/config/credentials/github', { source: 'env', config: { env: 'X' } }, stale))
        .statusCode,
    ).toBe(412);
    expect((await ask('DELETE', '/api/workspace/config/credentials/vault', undefined, stale)).statusCode).toBe(412);
    expect(await read('workspace.yaml')).toBe(CONFIG);
  });

  it('a workspace file that is JSON stays JSON', async () => {
    const json = { apiVersion: 'kit/v1', kind: 'Workspace', metadata: { id: 'w', name: 'W' } };
    const world = await editedWorkspace({ 'topologies/t.yaml': topology('t', 'children: []') });
    const { rm } = await import('node:fs/promises');
    await rm(`${world.directory}/workspace.yaml`);
    await world.write({ 'workspace.json': `${JSON.stringify(json, null, 2)}\n` });
    expect(
      (await world.ask('PUT', '/api/workspace/config/credentials/a', { source: 'env', config: { env: 'A' } }))
        .statusCode,
    ).toBe(200);
    expect(JSON.parse(await world.read('workspace.json'))).toEqual({
      ...json,
      credentials: { a: { source: 'env', config: { env: 'A' } } },
    });
  });
});
