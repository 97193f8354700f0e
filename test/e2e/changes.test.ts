import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ran, ran } from './harness-run.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

describe('a run whose harnesses changed files', () => {
  let done: Ran;
  beforeAll(async () => {
    done = await ran(world, 'done');
  });

  it('names the two commands in its last lines', () => {
    expect(done.text).toContain(`kit diff ${done.id}`);
    expect(done.text).toContain(`kit apply ${done.id}`);
  });

  it('kit diff prints in a pipe what git takes, of all agents or of one', async () => {
    const all = await done.kit('diff', done.id);
    const one = await done.kit('diff', done.id.slice(0, 6), 'writer');

    expect(all.code).toBe(0);
    expect(all.stdout.match(/^diff --git .*/gm)).toEqual([
      'diff --git a/numbers.txt b/numbers.txt',
      'diff --git a/new.txt b/new.txt',
      'diff --git a/numbers.txt b/numbers.txt',
    ]);
    expect(one.stdout).not.toContain('+TWO');
    expect(one.stdout.startsWith('diff --git a/new.txt b/new.txt\n')).toBe(true);
  });

  it('kit diff --stat and --json tell files, lines, digests and the base commit', async () => {
    const stat = await done.kit('diff', done.id, '--stat');
    const json = lastOf(await done.kit('diff', done.id, '--json'));

    expect(stat.stdout).toBe(
      'builder  1 file, +1 -1\n  M numbers.txt  +1 -1\nwriter  2 files, +2 -1\n  A new.txt  +1 -0\n  M numbers.txt  +1 -1\n',
    );
    const [builder] = json.changes as readonly Record<string, unknown>[];
    expect(builder).toMatchObject({
      agent_id: 'builder',
      state: 'whole',
      base_commit: done.repo.git('rev-parse', 'HEAD').trim(),
      signed: null,
      files: [{ path: 'numbers.txt', change: 'changed', added: 1, removed: 1, binary: false }],
    });
    expect(builder?.sha256).toBe(createHash('sha256').update(String(builder?.diff)).digest('hex'));
  });

  it.each([
    [['diff', 'RUN', 'bilder'], 'KIT_DIFF_UNKNOWN', 'builder'],
    [['diff', '000000000000'], 'KIT_JOB_UNKNOWN', ''],
    [['apply', '000000000000'], 'KIT_JOB_UNKNOWN', ''],
  ])('kit %s is refused with %s', async (argv, code, hint) => {
    const result = await done.kit(...argv.map((word) => (word === 'RUN' ? done.id : word)), '--json');

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({ type: 'error', code, hint: expect.stringContaining(hint) });
  });

  it('kit apply brings it all home, from any folder, and then has nothing to write', async () => {
    const branch = await done.kit('apply', done.id, '--branch', 'kit/work');
    const first = await world.here(['apply', done.id, '-w', 'kit'], { cwd: done.repo.root });
    const again = lastOf(await done.kit('apply', done.id, '--json'));

    expect(branch).toMatchObject({ code: 0, stdout: expect.stringContaining('branch kit/work, ') });
    expect(done.repo.git('show', 'kit/work:new.txt')).toBe('new\n');
    expect(done.repo.git('log', '-1', '--format=%B', 'kit/work')).toContain(`Kit-Run: ${done.id}`);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining(`applied 2 files of run ${done.id}`) });
    expect(first.stdout).toContain('builder: no gate of its own, nobody had to sign these files');
    expect(done.read('numbers.txt')).toContain('TWO');
    expect(done.read('numbers.txt')).toContain('NINE');
    expect(again).toMatchObject({ type: 'result', paths: [], branch: null, missing_base_commits: [] });
    expect(world.leftovers()).toEqual([]);
  });
});

it('a conflict exits with 1, names the file and writes nothing', async () => {
  const { repo, id, kit, read } = await ran(world, 'conflict');
  writeFileSync(join(repo.root, 'numbers.txt'), read('numbers.txt').replace('two', 'mine'));
  const before = repo.digest();

  const text = await kit('apply', id);
  const json = await kit('apply', id, '--json');

  expect(text.code).toBe(1);
  expect(text.stderr).toContain('numbers.txt');
  expect(text.stderr).toContain(`kit apply ${id} --branch NAME`);
  expect(lastOf(json)).toMatchObject({
    code: 'KIT_APPLY_CONFLICT',
    data: { agent_id: 'builder', paths: ['numbers.txt'] },
  });
  expect(repo.digest()).toBe(before);
});

it('files that decide what programs do need --force, and a partial change --partial', async () => {
  const { repo, id, kit } = await ran(world, 'held', {
    builder: 'cd .. && mkdir .claude && echo "{}" >.claude/settings.json; exit 3',
  });
  const partial = await kit('apply', id, '--json');
  const held = await kit('apply', id, '--partial', '--json');
  const before = repo.digest();
  const forced = await kit('apply', id, '--partial', '--force');

  expect([partial.code, held.code, forced.code]).toEqual([2, 2, 0]);
  expect(lastOf(partial)).toMatchObject({ message: expect.stringContaining('--partial') });
  expect(lastOf(held)).toMatchObject({ message: expect.stringContaining('.claude/settings.json') });
  expect(repo.digest()).not.toBe(before);
  expect(forced.stdout).toContain('  A .claude/settings.json\n');
});
