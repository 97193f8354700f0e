import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { type LoginProvider, startLoginProvider } from '../support/components/login-provider.js';
import { withBrowser } from './login-scene.js';
import { makeRepositoryIn } from './repository.js';
import { callOf, inputOf, startCallingModel } from './tools/tool-world.js';
import { localProvider, talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
let provider: LoginProvider;
let env: Record<string, string>;
beforeAll(async () => {
  [world, provider] = await Promise.all([makeWorld(), startLoginProvider()]);
  env = withBrowser(world);
});
afterAll(async () => {
  await provider.close();
  await world.dispose();
});

const INPUT = inputOf([callOf('greet')]);
const credentials = (endpoint: string): string =>
  `credentials:\n  notes: { source: oauth, config: { endpoint: "${endpoint}" } }\n`;
const skill = (implementation: string): string => `apiVersion: kit/v1
kind: Skill
metadata: { id: greet, name: Greet, description: Greets people by their names. }
category: capability
implementation: { ${implementation} }
provenance: { authored_by: human, version: 1.0.0 }
`;

/** A person who is logged in, and an agent that holds `greet`, carried out as this says. */
async function atWork(name: string, files: { readonly workspace: string; readonly greet: string }) {
  const model = await startCallingModel();
  onTestFinished(() => model.close());
  const cwd = world.files(
    name,
    talk({
      provider: 'local',
      root: '    skills: [greet]\n',
      workspace: files.workspace,
      files: { 'providers/local.yaml': localProvider, 'skills/greet.yaml': skill(files.greet) },
    }),
  );
  const at = { env: { ...env, MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' }, cwd };
  const here = (...argv: readonly string[]) => world.here(argv, at);
  await provider.behave({ ttl: 3600, calls: 'ok', endsOld: false });
  const login = await here('credentials', 'login', 'notes', '--json');
  expect(login.code, login.stdout + login.stderr).toBe(0);
  return { here, at };
}

it('a token that another run has refreshed, and whose provider ended the old one, fails no run', async () => {
  const server = `mcp_servers:\n  - { id: notes, transport: http, endpoint: "${provider.endpoint}", credentials_ref: notes }\n`;
  const { at } = await atWork('ended-meanwhile', {
    workspace: `${credentials(provider.endpoint)}${server}`,
    greet: 'type: mcp_tool, server: notes, tool: greet',
  });
  const before = await provider.behave({ endsOld: true, isLate: true });
  const first = world.start(['run', '.', 'talk', '--input', INPUT, '--json'], at);
  await vi.waitUntil(async () => (await provider.counts()).late > before.late, { timeout: 60_000 });

  // To whom an hour is not enough: its start refreshes the token under the call of the first run.
  const wary = { ...at, env: { ...at.env, KIT_OAUTH_RUN_WINDOW_S: '7200' } };
  const other = await world.here(['run', '.', 'talk', '--input', INPUT, '--json'], wary);

  expect(lastOf(other)).toMatchObject({ status: 'completed' });
  expect(lastOf(await first.ended)).toMatchObject({
    status: 'completed',
    output: expect.stringContaining('hello from the notes'),
  });
  const after = await provider.counts();
  expect(after.refresh - before.refresh).toBe(1);
  expect(after.ended - before.ended).toBe(1);
});

it('a login that ends at an agent elsewhere ends the run, and a retry with a new one completes', async () => {
  const { here } = await atWork('agent', {
    workspace: credentials(provider.card),
    greet: `type: agent, card_url: "${provider.card}", skill_id: plain, credentials_ref: notes, permission: open, effects: read`,
  });
  const before = await provider.behave({ calls: 'unauthorized' });

  const run = await here('run', '.', 'talk', '--input', INPUT, '--json');

  const { id } = lastOf(run) as { readonly id: string };
  expect(lastOf(run)).toMatchObject({
    status: 'failed',
    reason: 'KIT_CREDENTIAL_EXPIRED',
    error: expect.stringContaining('the token for the credential notes of local has ended'),
  });
  expect((await provider.counts()).calls - before.calls).toBe(1);
  const why = await here('why', id);
  expect(why.stdout).toContain('kit credentials login notes');
  expect(why.stdout).toContain(`kit retry ${id}`);

  await provider.behave({ calls: 'ok' });
  const output = expect.stringContaining('hello from the agent');
  expect(lastOf(await here('retry', id, '--json'))).toMatchObject({ status: 'completed', output });
});

/** A program that works with the token of a login, and says with which status it was refused. */
const program = (endpoint: string, token: string): Record<string, string> => ({
  'kit/workspace.yaml': `apiVersion: kit/v1
kind: Workspace
metadata: { id: team, name: Team }
memory: { enabled: false }
${credentials(endpoint)}`,
  'kit/adapters/builder.yaml': `apiVersion: kit/v1
kind: ExecutorAdapter
metadata: { id: builder, name: builder, description: A program of this test. }
spec:
  launch: { command: [sh, -c, 'echo "$TOKEN" >> "${token}"; cat "${token}.says"', "{task.statement}"] }
  auth: { modes: { api_key: { env: { TOKEN: "{credential.model_provider}" } } } }
  stream: { format: jsonl }
  event_map:
    - when: { type: done }
      emit: [{ event: result, with: { status: success, output: done } }]
    - when: { type: error }
      emit: [{ event: result, with: { status: failure, reason: api_error, message: no, http_status: "$.status" } }]
provenance: { authored_by: human, version: 1.0.0 }
`,
  'kit/archetypes/builder.yaml': `apiVersion: kit/v1
kind: Archetype
metadata: { id: builder, name: builder, description: Carried out by a program of this test. }
role: worker
defaults: {}
executor: { kind: harness, ref: builder, config: { credentials_ref: notes } }
provenance: { authored_by: human, version: 1.0.0 }
`,
  'kit/topologies/work.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: work, version: 1.0.0, description: A program changes files. }
agents:
  root:
    id: boss
    role: root
    model: { provider: rules, name: rules }
    prompt: { system: Delegate. }
    output_schema: { type: object, properties: { ok: { type: string, x-from: $.builder } } }
    children: [{ id: builder, role: worker, archetype: builder }]
`,
});

it('a login that ends in a program that its server answers 401 ends the run, and a retry with a new one completes', async () => {
  const token = join(world.temp, 'token');
  const repo = makeRepositoryIn(world, 'program', program(provider.endpoint, token));
  const at = { env, cwd: join(repo.root, 'kit') };
  const here = (...argv: readonly string[]) => world.here(argv, at);
  await provider.behave({ ttl: 300, calls: 'ok', endsOld: false });
  const login = await here('credentials', 'login', 'notes', '--json');
  expect(login.code, login.stdout + login.stderr).toBe(0);
  const before = await provider.behave({ ttl: 3600 });
  writeFileSync(`${token}.says`, '{"type":"error","status":401}\n');
  const refused = await here('run', 'work', '--input', 'go');
  const [trust = ''] = [...refused.stderr.matchAll(/--trust ([0-9a-f]{64})/g)].map(([, digest]) => digest ?? '');

  const run = await here('run', 'work', '--input', 'go', '--json', '--trust', trust);

  const { id } = lastOf(run) as { readonly id: string };
  expect(lastOf(run), run.stdout + run.stderr).toMatchObject({
    status: 'failed',
    reason: 'KIT_CREDENTIAL_EXPIRED',
    error: expect.stringContaining('the token for the credential notes of local has ended'),
  });
  // It began with a fresh token, as every run does.
  expect((await provider.counts()).refresh - before.refresh).toBe(1);
  expect(readFileSync(token, 'utf8').trim().split('\n')).toHaveLength(1);
  const why = await here('why', id);
  expect(why.stdout).toContain('kit credentials login notes');
  writeFileSync(`${token}.says`, '{"type":"done"}\n');
  expect(lastOf(await here('retry', id, '--json'))).toMatchObject({ status: 'completed' });
});
