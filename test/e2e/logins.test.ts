import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { type LoginProvider, startLoginProvider } from '../support/components/login-provider.js';
import { createDatabase } from '../support/components/postgres.js';
import { loginText, withBrowser } from './login-scene.js';
import { PEOPLE, roleFile } from './review/gated-workspace.js';
import { callOf, inputOf, startCallingModel } from './tools/tool-world.js';
import { talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
let provider: LoginProvider;
let env: Record<string, string>;
let dir: string;
beforeAll(async () => {
  [world, provider] = await Promise.all([makeWorld(), startLoginProvider()]);
  env = withBrowser(world);
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

const INPUT = inputOf([callOf('greet')]);

/** A person who is logged in, and agents that call a tool of that server. */
async function atWork(name: string, server = '') {
  const model = await startCallingModel();
  onTestFinished(() => model.close());
  const { text, files } = loginText(provider.endpoint, server);
  const place = world.files(
    name,
    talk({
      provider: 'local',
      root: '    skills: [greet]\n',
      workspace: text,
      files: { ...files, 'roles/people.yaml': roleFile(PEOPLE) },
    }),
  );
  const at = { ...env, MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' };
  const here = (...argv: readonly string[]) => world.here(argv, { env: at, cwd: place });
  await provider.behave({ ttl: 3600, calls: 'ok' });
  const login = await here('credentials', 'login', 'notes', '--json');
  expect(login.code, login.stderr).toBe(0);
  return { model, here };
}

it.each([
  ['401', 'unauthorized', 'KIT_CREDENTIAL_EXPIRED', 'the token for the credential notes of local has ended'],
  ['403 for more scopes', 'forbidden', 'KIT_CONSENT_REQUIRED', 'the credential notes of local needs a login'],
] as const)(
  'a %s in the middle of a run ends it, is not a result of a tool, and is not tried again',
  async (...row) => {
    const [, calls, reason, says] = row;
    const { model, here } = await atWork(`mid-run-${calls}`);
    const before = await provider.behave({ calls });

    const run = await here('run', '.', 'talk', '--input', INPUT, '--json');

    const { id } = lastOf(run) as { readonly id: string };
    expect(lastOf(run)).toMatchObject({ status: 'failed', reason, error: expect.stringContaining(says) });
    const after = await provider.counts();
    expect([after.calls - before.calls, after.token - before.token]).toEqual([1, 0]);
    expect(model.requests).toHaveLength(1);
    const why = await here('why', id);
    expect(why.stdout).toContain('kit credentials login notes');
    expect(why.stdout).toContain(`kit retry ${id}`);

    await provider.behave({ calls: 'ok' });
    const retried = await here('retry', id, '--json');
    const output = expect.stringContaining('hello from the notes');
    expect(lastOf(retried)).toMatchObject({ status: 'completed', output });
  },
);

it('a run that is decided after a week refreshes at that claim', async () => {
  const { here } = await atWork('week', ', permission: strict');
  const parked = await here('run', '.', 'talk', '--input', INPUT, '--as', 'dana', '--json');
  expect(lastOf(parked)).toMatchObject({ status: 'deferred' });
  const [item] = lastOf(await here('review', 'list', '--json')).items as readonly { readonly id: string }[];
  const before = await provider.counts();

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  const decided = await here('review', 'approve', item?.id ?? '', '--as', 'qa-1', '--resume', '--json');

  expect(decided.code, decided.stderr).toBe(0);
  const after = await provider.counts();
  expect([after.refresh - before.refresh, after.calls - before.calls]).toEqual([1, 1]);
  expect(after.bearers.length).toBe(before.bearers.length + 1);
});

it('looking at credentials, logging out and changing the key make no store where there is none', async () => {
  const { text } = loginText(provider.endpoint);
  const place = world.files('nobody', talk({ workspace: text }));
  const home = join(world.temp, 'nobody');
  const at = { env: { ...env, XDG_CONFIG_HOME: home }, cwd: place };

  const listed = await world.here(['credentials', 'list', '--json'], at);
  expect(lastOf(listed)).toMatchObject({ credentials: [{ credential_id: 'notes', resolves: false, logins: [] }] });
  await world.here(['doctor', '--json'], at);
  expect((await world.here(['credentials', 'logout', 'notes'], at)).code).toBe(2);
  expect((await world.here(['credentials', 'rotate-key'], at)).stdout).toContain('nothing is kept of logins');

  expect(existsSync(join(place, '.kit'))).toBe(false);
  expect(existsSync(home)).toBe(false);
  const run = await world.here(['run', '.', 'talk', '--input', 'hi'], at);
  expect(run.code).toBe(0);
  expect(existsSync(join(place, '.kit', 'state', 'oauth.db'))).toBe(false);
});

it('logins do not move to another store, and the move says which are to be made anew', async () => {
  const { here } = await atWork('moves');
  await here('run', '.', 'talk', '--input', INPUT);
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const to = { env: { ...env, KIT_STORE_URL: database.url }, cwd: join(world.base, 'moves') };

  const plan = await world.here(['storage', 'migrate', '--dry-run', '--json'], to);
  expect(lastOf(plan)).toMatchObject({ left_logins: [{ credential_id: 'notes', owner: 'local' }] });
  const text = await world.here(['storage', 'migrate', '--yes'], to);
  expect(text.stdout).toMatch(/1 login does not move; afterwards log in again:\n {2}kit credentials login notes$/m);
});
