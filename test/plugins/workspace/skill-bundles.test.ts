import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type KitHome, makeHome, projectRoot, runKitHere } from '../../support/kit-process.js';
import { npmCli } from '../../support/plugin-package.js';

const WORKSPACE = 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\n';
const BUNDLES = (await readdir(join(projectRoot, 'catalogue/skills'))).sort();

interface Bundle {
  readonly verification: string;
  readonly notes?: readonly string[];
  readonly needs?: readonly string[];
  readonly skills: readonly string[];
  readonly server?: { readonly command?: readonly string[]; readonly effects?: Readonly<Record<string, string>> };
}

const bundleOf = async (id: string): Promise<Bundle> =>
  parse(await readFile(join(projectRoot, 'catalogue/skills', id, 'bundle.yaml'), 'utf8')) as Bundle;
const skillOf = async (bundle: string, id: string) =>
  parse(await readFile(join(projectRoot, 'catalogue/skills', bundle, 'skills', `${id}.yaml`), 'utf8')) as {
    readonly implementation: { readonly type: string; readonly tool?: string };
  };

let home: KitHome;
let dir: string;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kit-bundle-'));
  await writeFile(join(dir, 'workspace.yaml'), WORKSPACE);
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const kit = (argv: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runKitHere(argv, { cwd: dir, env: { ...home.env, PATH: '', ...env } });

describe('the catalogue that kit brings', () => {
  it('has what people use', () => {
    expect(BUNDLES).toEqual(
      expect.arrayContaining([
        ...['browser', 'database', 'fetch', 'filesystem', 'git', 'github', 'judges', 'memory', 'reviewers'],
      ]),
    );
  });

  it('offers every bundle, none of them broken', async () => {
    const listed = (await kit(['skill', 'list', '--available', '--json'])).lines().at(-1);

    expect(listed).toMatchObject({ source: 'bundled', broken: [] });
    expect(listed).toMatchObject({ bundles: BUNDLES.map((id) => ({ id })) });
  });

  it.each(BUNDLES)('%s is added to an empty workspace, which is valid then', async (bundle) => {
    const { skills } = await bundleOf(bundle);

    const added = await kit(['skill', 'add', bundle, '--yes', '--json']);
    expect(added, added.stderr).toMatchObject({ code: 0 });
    expect(added.lines().at(-1)).toMatchObject({
      applied: { skill_files: skills.map((id) => `skills/${id}.yaml`), reloaded: false },
    });
    const valid = await kit(['validate', '--json']);
    expect(valid.lines().at(-1)).toMatchObject({ status: 'ok', errors: 0 });
    const again = (await kit(['skill', 'add', bundle, '--json'])).lines().at(-1);
    expect(again).toMatchObject({ applied: { skill_files: [], server: false } });
  });

  it.each(BUNDLES)(
    '%s names exact versions, declares the effect of each tool, and says how it was verified',
    async (bundle) => {
      const { server, skills, verification, needs = [] } = await bundleOf(bundle);
      const tools = (await Promise.all(skills.map((id) => skillOf(bundle, id)))).flatMap(
        ({ implementation }) => implementation.tool ?? [],
      );
      const [program = null, ...words] = server?.command ?? [];

      expect(verification).not.toBe('');
      expect(Object.keys(server?.effects ?? {}).sort()).toEqual([...tools].sort());
      if (program !== null) expect(needs).toContain(program);
      if (program === 'npx') expect(words.filter((word) => /^@?[\w/-]+@\d+\.\d+\.\d+$/.test(word))).toHaveLength(1);
      if (program === 'uvx') expect(words.filter((word) => /^[\w-]+==\d+(\.\d+)+$/.test(word))).toHaveLength(1);
    },
  );

  it('what a bundle needs on the machine is checked by kit doctor', async () => {
    await kit(['skill', 'add', 'git', '--yes']);
    await mkdir(join(dir, 'topologies'));
    await writeFile(join(dir, 'topologies/main.yaml'), topology('git', [{ name: 'git-log', input: {} }]));

    const { checks } = (await kit(['doctor', '--json'])).lines().at(-1) as { checks: readonly object[] };
    expect(checks).toContainEqual({
      id: 'tool-server.git',
      status: 'fail',
      found: 'uvx is not on PATH',
      fix: 'Install uvx, and put it on PATH.',
    });
  });

  it('lets a funnel judge by its judges', async () => {
    await kit(['skill', 'add', 'judges', '--yes']);
    await mkdir(join(dir, 'funnels'));
    await mkdir(join(dir, 'roles'));
    await writeFile(
      join(dir, 'roles/people.yaml'),
      'apiVersion: kit/v1\nkind: RoleRegistry\nmetadata: { id: people, name: People }\nroles: [{ id: qa, members: [ada], scopes: [release:approve] }]\n',
    );
    for (const id of (await bundleOf('judges')).skills)
      await writeFile(
        join(dir, `funnels/${id}.yaml`),
        `apiVersion: kit/v1\nkind: Funnel\nmetadata: { id: by-${id}, name: ${id}, description: Judged by one skill. }\njudge: { skill: ${id} }\napprove: { rules: [{ scope: "release:approve", roles: [qa], quorum: all }] }\nprovenance: { authored_by: human, version: 1.0.0 }\n`,
      );

    const valid = await kit(['validate', '--json']);
    expect(valid, valid.stdout).toMatchObject({ code: 0 });
  });
});

/** A PATH with this Node and an npx that looks into the packages of the checkout alone. */
async function pathWithNpx(): Promise<string> {
  const bin = join(dir, 'bin');
  await mkdir(bin);
  await symlink(process.execPath, join(bin, 'node'));
  const npx = join(dirname(npmCli()), 'npx-cli.js');
  await writeFile(join(bin, 'npx'), `#!/bin/sh\nexec '${process.execPath}' '${npx}' --offline "$@"\n`, { mode: 0o755 });
  return [bin, '/bin', '/usr/bin'].join(delimiter);
}

const topology = (server: string, tools: readonly object[]): string => `apiVersion: kit/v1
kind: Topology
metadata: { name: main, version: 1.0.0 }
agents:
  root:
    id: boss
    role: root
    skills: [${tools.map((tool) => (tool as { name: string }).name).join(', ')}]
    model: { provider: mock, name: m, options: { script: [${JSON.stringify({ tool_calls: tools })}, { text: done }] } }
    prompt: { system: Use ${server}. }
`;

/** Bundles whose server is an npm package of this checkout. */
const RUNS = [
  {
    bundle: 'filesystem',
    call: { name: 'read-file', input: { path: 'note.txt' } },
    said: 'the words of the note',
  },
  {
    bundle: 'memory',
    call: {
      name: 'remember-entities',
      input: { entities: [{ name: 'Ada', entityType: 'person', observations: ['likes proofs'] }] },
    },
    said: 'likes proofs',
  },
] as const;

describe('a bundle whose server is at hand', () => {
  it.each(RUNS)(
    '$bundle: its tools are there, and a run calls one',
    async ({ bundle, call, said }) => {
      const env = { PATH: await pathWithNpx(), HOME: dir };
      await symlink(join(projectRoot, 'node_modules'), join(dir, 'node_modules'));
      await writeFile(join(dir, 'note.txt'), 'the words of the note\n');
      await kit(['skill', 'add', bundle, '--yes']);

      const checked = await kit(['skill', 'check', '--json'], env);
      const { skills } = await bundleOf(bundle);
      expect(checked.lines().at(-1)).toMatchObject({
        checks: [...skills].sort().map((skill_id) => ({ skill_id, status: 'ok', detail: '' })),
      });

      await mkdir(join(dir, 'topologies'));
      await writeFile(join(dir, 'topologies/main.yaml'), topology(bundle, [call]));
      const ran = await kit(['run', 'main', '--input', 'go', '--json'], env);
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      expect(ran.stdout).toContain(said);
    },
    60_000,
  );
});
