import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServe } from '../support/http/serve-process.js';
import { makeRepositoryIn } from './repository.js';
import { makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const PROVENANCE = 'provenance: { authored_by: human, version: 1.0.0 }\n';
const FILES = {
  'workspace.yaml':
    'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: team, name: Team }\nmemory: { enabled: false }\n',
  'archetypes/coder.yaml': `apiVersion: kit/v1
kind: Archetype
metadata: { id: coder, name: Coder, description: Plays a coding agent. }
role: worker
defaults: {}
executor:
  kind: harness
  ref: rehearsal
  config:
    script: [{ edit: notes.md, content: "noted" }, { run: "echo ran >> ran.txt" }, { say: done }]
    permissions: [{ kind: edit, then: allow }, { kind: execute, then: ask }]
${PROVENANCE}`,
  'topologies/fix.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: fix, version: 1.0.0, description: A coder changes the repository. }
agents:
  root: { id: coder, role: root, archetype: coder }
`,
};

/** The newest that the text names. */
const itemIn = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): string =>
  (stderr + stdout).match(/permission-[0-9a-f-]+/g)?.at(-1) ?? '';

/** A machine: its own directory of worktrees beside a store that all of them reach. */
const on = (name: string) => ({ KIT_WORKTREES_DIR: join(world.base, name) });
const worktreesOf = (name: string): readonly string[] =>
  existsSync(join(world.base, name))
    ? readdirSync(join(world.base, name)).filter((entry) => entry.startsWith('kit-worktree-'))
    : [];

it('a session waits where its worktree lies; elsewhere the run says so, and begins anew when asked to', async () => {
  const { root } = makeRepositoryIn(world, 'elsewhere', FILES);
  const kit = (machine: string, ...argv: string[]) => world.here(argv, { cwd: root, env: on(machine) });

  const parked = await kit('a', 'run', 'fix', '--input', 'go');
  const run = /run ([0-9a-f]{12}) of fix/.exec(parked.stderr + parked.stdout)?.[1] ?? '';
  const item = itemIn(parked);
  const why = await kit('b', 'why', run);
  const corrected = world.files('corrected', { 'input.json': '{"command":"true"}', 'none.json': '[]' });
  const edited = await kit('b', 'review', 'approve', item, '--input', join(corrected, 'input.json'));
  const unread = await kit('b', 'review', 'approve', item, '--input', join(corrected, 'none.json'));
  const decided = await kit('b', 'review', 'approve', item);
  const refused = await kit('b', 'run', `--resume=${run}`);
  const anew = await kit('b', 'run', `--resume=${run}`, '--anew');
  const again = itemIn(anew);
  const moved = await kit('a', 'run', `--resume=${run}`);
  const second = await kit('b', 'review', 'approve', again, '--resume');

  expect(parked.code).toBe(3);
  expect(why.stdout).toMatch(/the session of coder waits in its worktree \S+\/a\/kit-worktree-/);
  expect(why.stdout).toContain(`kit resume ${run} --anew`);
  // Its program asks for the call by itself: nobody can put another one in its place.
  expect(edited).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be approved with another input') });
  expect(unread).toMatchObject({ code: 2, stderr: expect.stringContaining('holds no JSON object') });
  expect(decided).toMatchObject({ code: 0 });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/its worktree lies in \S+:\S+\/a, /);
  expect(refused.stderr).toContain(`kit resume ${run} --anew`);
  // What was approved was of the session that is gone: it is asked again.
  expect(anew.code).toBe(3);
  expect(anew.stderr).toMatch(/anew/);
  expect(again).not.toBe(item);
  expect(moved.stderr).toMatch(/its worktree lies in \S+:\S+\/b, /);
  expect(second.stdout + second.stderr).toContain('completed');
  expect(worktreesOf('b')).toEqual([]);
}, 60_000);

it('a server begins a session anew whose worktree lies elsewhere, and one that it has itself', async () => {
  const { root } = makeRepositoryIn(world, 'served', FILES);
  const parked = await world.here(['run', 'fix', '--input', 'go'], { cwd: root, env: on('d') });
  const run = /run ([0-9a-f]{12}) of fix/.exec(parked.stderr + parked.stdout)?.[1] ?? '';
  const server = await startServe([root], { ...world.env, ...on('e') });
  try {
    const asked = (...argv: string[]) =>
      world.here([...argv, '--server', server.url], { cwd: world.base, env: on('f') });
    const refused = await fetch(`${server.url}/jobs/${run}/resume`, { method: 'POST' });
    const reported: unknown = await refused.json();
    await world.here(['review', 'approve', itemIn(parked)], { cwd: root, env: on('f') });
    const anew = await asked('resume', run, '--anew');
    const here = worktreesOf('e');
    const again = await asked('run', `--resume=${run}`, '--anew');

    expect(refused.status).toBe(409);
    expect(reported).toMatchObject({ hint: expect.stringContaining(`POST /jobs/${run}/resume?anew=true`) });
    // What was approved was of the session that is gone: it is asked again.
    expect(anew.code, anew.stderr).toBe(3);
    expect(itemIn(anew)).not.toBe(itemIn(parked));
    expect(here).toHaveLength(1);
    // Nobody has decided since: the same question waits, and the worktree is given up.
    expect(again.code, again.stderr).toBe(3);
    expect(itemIn(again)).toBe(itemIn(anew));
    expect(worktreesOf('e')).toEqual([]);
  } finally {
    server.kill('SIGKILL');
    await server.ended;
  }
}, 60_000);
