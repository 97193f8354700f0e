import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LoginProvider, startLoginProvider } from '../support/components/login-provider.js';
import { talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
let provider: LoginProvider;
let env: Record<string, string>;
let dir: string;
beforeAll(async () => {
  [world, provider] = await Promise.all([makeWorld(), startLoginProvider()]);
  const browser = fileURLToPath(new URL('../support/components/browse-login.mjs', import.meta.url));
  const bin = join(world.temp, 'browser');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nexec "${process.execPath}" "${browser}" "$@"\n`);
  chmodSync(join(bin, 'xdg-open'), 0o755);
  env = { PATH: `${bin}:${process.env.PATH ?? ''}`, XDG_CONFIG_HOME: join(world.temp, 'config') };
  dir = world.files('notes', {
    ...talk({ root: '    skills: [greet]\n' }),
    'workspace.yaml': `apiVersion: kit/v1
kind: Workspace
metadata: { id: notes, name: Notes, description: A workspace with a login. }
credentials:
  notes: { source: oauth, config: { endpoint: "${provider.endpoint}" } }
mcp_servers:
  - { id: notes, transport: http, endpoint: "${provider.endpoint}", credentials_ref: notes }
`,
    'skills/greet.yaml': `apiVersion: kit/v1
kind: Skill
metadata: { id: greet, name: Greet, description: Greets people by their names. }
category: capability
implementation: { type: mcp_tool, server: notes, tool: greet }
provenance: { authored_by: human, version: 1.0.0 }
`,
  });
});
afterAll(async () => {
  await provider.close();
  await world.dispose();
});

const kit = (...argv: readonly string[]) => world.here([...argv, '-w', dir, '--json'], { env });

it('a person logs in once, and runs have a fresh token until they log out', async () => {
  const missing = await world.here(['run', dir, 'talk', '--input', 'hi'], { env });
  expect(missing.code).toBe(1);
  expect(missing.stderr + missing.stdout).toContain('kit credentials login notes');

  await provider.behave({ ttl: 300 });
  const login = await kit('credentials', 'login', 'notes');
  expect(lastOf(login)).toMatchObject({ credential_id: 'notes', owner: 'local', has_refresh_token: true });
  const database = join(dir, '.kit', 'state', 'oauth.db');
  expect(existsSync(database)).toBe(true);
  expect(statSync(database).mode & 0o077).toBe(0);

  const before = await provider.behave({ ttl: 3600 });
  const run = await world.here(['run', dir, 'talk', '--input', 'hi', '--json'], { env });
  expect(lastOf(run)).toMatchObject({ status: 'completed' });
  const after = await provider.counts();
  expect(after.refresh).toBe(before.refresh + 1);

  // Tokens that the server saw stand nowhere in the clear.
  const bytes = ['', '-wal']
    .map((end) => `${database}${end}`)
    .filter(existsSync)
    .map((path) => readFileSync(path, 'latin1'));
  for (const token of after.bearers)
    expect([...bytes, run.stdout, run.stderr, login.stdout, login.stderr].join('\n')).not.toContain(token);

  expect(lastOf(await kit('credentials', 'rotate-key'))).toMatchObject({ rows: 1 });
  expect(lastOf(await kit('credentials', 'list'))).toMatchObject({
    credentials: [{ credential_id: 'notes', resolves: true, logins: [{ owner: 'local', expired: false }] }],
  });
  expect(lastOf(await kit('credentials', 'logout', 'notes'))).toMatchObject({ deleted: true, revoked_upstream: true });
  expect((await kit('credentials', 'logout', 'notes')).code).toBe(2);
});
