import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadWorkspace } from '../../src/app/load-workspace.js';
import { validateWorkspace } from '../../src/app/validate-workspace.js';
import { isKitError } from '../../src/domain/errors.js';
import { adapter, archetype, EVENTS, funnel, judge, LEAD, topology } from '../compile/rules/artifact-text.js';
import { deps, type Sources, WORKSPACE } from '../support/compile.js';

let directory = '';

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-validate-'));
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

async function write(sources: Sources): Promise<void> {
  for (const [path, text] of Object.entries(sources)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
}

const refusal = async (work: Promise<unknown>) => {
  const error = await work.catch((caught: unknown) => caught);
  return isKitError(error) ? { code: error.code, exit: error.exitCode, data: error.data } : error;
};

test.each(['', 'nowhere', 'file.txt'])('the path "%s" without a workspace is refused with exit 2', async (path) => {
  await write({ 'file.txt': 'x' });

  expect(await refusal(validateWorkspace(join(directory, path), deps()))).toMatchObject({
    code: 'KIT_WORKSPACE_NOT_FOUND',
    exit: 2,
  });
});

test.each(['topologies/t.yaml', 'topologies'])(
  'what cannot be read (%s) makes the workspace invalid, and is named',
  async (unreadable) => {
    await write({ 'workspace.yaml': WORKSPACE, 'topologies/t.yaml': topology('t', '') });
    const { files, ...rest } = deps();
    const denied = <T>(read: (path: string) => Promise<T>) => {
      return (path: string) =>
        path.endsWith(unreadable) ? Promise.reject(new Error('EACCES: permission denied')) : read(path);
    };
    const guarded = { ...rest, files: { ...files, readText: denied(files.readText), list: denied(files.list) } };

    const refused = await validateWorkspace(directory, guarded).catch((error: unknown) => error);

    expect(refused).toMatchObject({
      code: 'KIT_WORKSPACE_INVALID',
      exitCode: 1,
      message: `${unreadable} cannot be read: EACCES: permission denied`,
    });
    expect(refused).toMatchObject({ hint: expect.stringContaining('right to read') });
  },
);

test('an invalid workspace is a value to validate and a refusal with exit 1 to a run', async () => {
  await write({ 'workspace.yaml': WORKSPACE, 'topologies/t.yaml': topology('t', 'archetype: none') });

  const report = await validateWorkspace(directory, deps());
  expect(report.workspace).toBeNull();
  expect(report.diagnostics.map((diagnostic) => diagnostic.code)).toEqual(['agent.unknown-archetype']);
  expect(report.sources.get('topologies/t.yaml')).toContain('archetype: none');
  expect(await refusal(loadWorkspace(directory, deps()))).toMatchObject({
    code: 'KIT_WORKSPACE_INVALID',
    exit: 1,
    data: { diagnostics: [{ code: 'agent.unknown-archetype' }] },
  });
});

test('declared checks that nothing runs are unreachable, and a root without a check is unverified', async () => {
  await write({
    'workspace.yaml': `${WORKSPACE}governance: { provider: mock, decision_skills: [{ id: j, trigger: checkpoint }] }\n`,
    'topologies/t.yaml': topology('t', 'funnel: gate'),
    'topologies/u.yaml': topology('u', 'children: []'),
    'skills/j.yaml': judge('j'),
    'funnels/g.yaml': funnel(
      'gate',
      'judge: { skill: j }\napprove: { rules: [{ scope: a:b, roles: [lead], quorum: all }], exclude_author: false }\n',
    ),
    'roles/r.yaml': LEAD,
  });

  const { reachability, verification } = await validateWorkspace(directory, deps());
  expect(reachability.ok).toBe(false);
  expect(reachability.unreachable.map(({ kind, key, required }) => ({ kind, key, required }))).toEqual([
    { kind: 'decision_skill', key: 't@1.0.0:j:checkpoint', required: true },
    { kind: 'decision_skill', key: 'u@1.0.0:j:checkpoint', required: true },
  ]);
  expect(verification).toEqual([
    {
      topology: 't@1.0.0',
      agent: 'root',
      isRoot: true,
      funnel: 'gate',
      layers: ['judge', 'approve'],
      declared: ['judge', 'approve'],
      inert: [],
      verified: true,
    },
    {
      topology: 'u@1.0.0',
      agent: 'root',
      isRoot: true,
      funnel: null,
      layers: [],
      declared: [],
      inert: [],
      verified: false,
    },
  ]);
});

test('every command line that a run can start is listed, as it was written', async () => {
  await write({
    'workspace.yaml': `${WORKSPACE}mcp_servers: [{ id: files, transport: stdio, command: [serve, "\${PLACE}"] }, { id: web, transport: http, endpoint: http://localhost }]
command_packs: [{ id: git, commands: [{ id: log, argv: [git, log] }] }]
`,
    'topologies/t.yaml': topology('t', 'archetype: w'),
    'archetypes/w.yaml': archetype('w', '{}', 'executor: { kind: harness, ref: codex }\n'),
  });

  const { launches } = await validateWorkspace(directory, deps({ PLACE: '/secret/place' }));
  expect(launches.map(({ kind, id, argv }) => `${kind} ${id} ${argv.slice(0, 2).join(' ')}`)).toEqual([
    'adapter codex codex exec',
    'command git/log git log',
    'mcp_server files serve ${PLACE}',
  ]);
});

test('a link that leads out of the workspace is not followed', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'kit-outside-'));
  await writeFile(join(outside, 'a.json'), '{"type":"object"}');
  await write({
    'workspace.yaml': WORKSPACE,
    'topologies/t.yaml': topology('t', 'output_schema: ../schemas/a.json'),
    'schemas/keep': '',
  });
  await symlink(join(outside, 'a.json'), join(directory, 'schemas/a.json'));

  const { diagnostics } = await validateWorkspace(directory, deps());
  await rm(outside, { recursive: true });
  expect(
    diagnostics.filter((diagnostic) => diagnostic.severity === 'error').map((diagnostic) => diagnostic.message),
  ).toEqual(['the schema file schemas/a.json lies outside the workspace']);
});

test.each([
  ['an artifact', 'topologies/far.yaml', 'far.yaml'],
  ['a folder of artifacts', 'topologies/more', '.'],
  ['the folder of a kind', 'skills', '.'],
])('%s that is a link out of the workspace is not read', async (_what, link, target) => {
  const outside = await mkdtemp(join(tmpdir(), 'kit-outside-'));
  // Not YAML: whoever reads it says so.
  await writeFile(join(outside, 'far.yaml'), '[');
  await write({ 'workspace.yaml': WORKSPACE, 'topologies/t.yaml': topology('t', '') });
  await symlink(join(outside, target), join(directory, link));

  const { diagnostics } = await validateWorkspace(directory, deps());
  await rm(outside, { recursive: true });
  expect(diagnostics).toEqual([]);
});

test('artifacts behind links that stay in the workspace are read', async () => {
  await write({
    'workspace.yaml': WORKSPACE,
    'topologies/t.yaml': topology('t', ''),
    'kept/broken.yaml': '[',
  });
  await symlink(join(directory, 'kept'), join(directory, 'topologies/more'));

  const { diagnostics } = await validateWorkspace(directory, deps());
  expect(diagnostics.map(({ path }) => path)).toEqual(['topologies/more/broken.yaml']);
});

test('KIT_ENV selects the one property file that holds', async () => {
  await write({
    'workspace.yaml': WORKSPACE.replace('name: W', 'name: "${title:-none}"'),
    'workspace.env.yaml': 'title: plain\nother: x\n',
    'workspace.env.prod.yaml': 'title: prod\n',
  });
  const nameUnder = async (environment: Readonly<Record<string, string>>) =>
    (await validateWorkspace(directory, deps(environment))).workspace?.name;

  expect(await nameUnder({})).toBe('plain');
  expect(await nameUnder({ KIT_ENV: 'prod' })).toBe('prod');
  expect(await nameUnder({ KIT_ENV: 'other' })).toBe('plain');
});

test('a pack whose binary is missing refuses the load', async () => {
  await write({
    'workspace.yaml': `${WORKSPACE}command_packs: [{ id: p, requires: [{ binary: no-such-binary }, { binary: sh }], commands: [{ id: c, argv: [sh] }] }]\n`,
  });

  const { diagnostics } = await validateWorkspace(directory, deps({ PATH: process.env.PATH ?? '' }));
  expect(
    diagnostics
      .filter((diagnostic) => diagnostic.severity === 'error')
      .map((diagnostic) => `${diagnostic.code} ${diagnostic.pointer}`),
  ).toEqual(['command-pack.missing-binary /command_packs/0/requires/0/binary']);
});

test('a valid workspace is summed up', async () => {
  const report = await validateWorkspace(
    fileURLToPath(new URL('../fixtures/workspaces/fixture-valid-resolved-tree', import.meta.url)),
    deps(),
  );

  expect(report.ids.topologies).toHaveLength(1);
  expect(report.tree[0]?.root.children.length).toBeGreaterThan(0);
  expect(report.notYet.some((use) => use.key === 'Workspace.memory.enabled')).toBe(false);
});

test('an adapter that would relay through nothing, or hold its program, is refused', async () => {
  await write({
    'workspace.yaml': WORKSPACE,
    'adapters/a.yaml': adapter(
      'a',
      EVENTS.replace(/ }$/, ', on_unanswerable: relay, interaction: { driver: hold-stream } }'),
    ),
  });

  const { diagnostics } = await validateWorkspace(directory, deps());
  expect(diagnostics.map(({ code }) => code)).not.toContain('key.not-yet');
  expect(diagnostics.map(({ pointer }) => pointer)).toEqual(
    expect.arrayContaining(['/spec/interaction/driver', '/spec/on_unanswerable']),
  );
});

test('a secret that an author built a name from is shown nowhere', async () => {
  const secret = 'a-secret-of-the-author';
  await write({
    'workspace.yaml': WORKSPACE.replace('name: W', 'name: "${API_TOKEN}"'),
    'topologies/t.yaml': topology('main', 'model: { provider: mock, name: "gpt-${API_TOKEN}" }'),
  });

  const { sources: _, ...report } = await validateWorkspace(directory, deps({ API_TOKEN: secret }));

  expect(report.workspace?.name).toBe('[REDACTED]');
  expect(JSON.stringify(report.tree)).toContain('gpt-[REDACTED]');
  expect(JSON.stringify(report)).not.toContain(secret);
});
