import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ApplyTarget } from '../../../src/domain/ports/repository.js';
import type { Worktree } from '../../../src/domain/ports/worktrees.js';
import { createRepositoryChanges } from '../../../src/system/changes/repository-changes.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { createWorktrees } from '../../../src/system/worktrees/worktrees.js';
import { createRepository, type TestRepository } from '../../support/repository.js';

// What is signed and applied has to be what lies in the worktree, also where a file is older than
// UTF-8; and one byte in one file may make no other file unreadable.

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const LONG = Array.from({ length: 40 }, (_, n) => `ligne ${n}: café\n`).join('');
const ODD = 'a [b]*? "c"\\d\né.txt';

let repository: TestRepository;
let worktree: Worktree;
beforeEach(async () => {
  repository = createRepository({ 'a.js': 'a\n' });
  for (const name of ['changed.txt', 'gone.txt', 'moved.txt', 'linked.txt']) repository.write(name, latin1(LONG));
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message=old files');
  const worktrees = createWorktrees({ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp });
  worktree = await worktrees.create({ repository: repository.root, includeUncommitted: false, link: [] });
});
afterEach(async () => {
  await worktree.remove();
  repository.dispose();
});

const at = (path: string): string => join(worktree.path, path);
const changed = latin1(LONG.replace('ligne 7', 'numéro 7'));

/** As `kit apply` does. */
async function apply(diff: string, onto: ApplyTarget = { kind: 'working-tree' }): Promise<void> {
  const merged = await createRepositoryChanges({ env: repository.env, tempRoot: repository.temp }).merge({
    ...{ repository: repository.root, onto },
    patches: [{ label: 'coder', diff, baseCommit: repository.git('rev-parse', 'HEAD').trim() }],
  });
  if (merged.kind !== 'merged') throw new Error(merged.detail);
  await merged.write();
  await merged.discard();
}
const bytesAt = (path: string): Buffer => readFileSync(join(repository.root, path));

it('gives the bytes of files that are not UTF-8, and the lines of all others', async () => {
  writeFileSync(at('a.js'), 'evil()\n');
  writeFileSync(at('changed.txt'), changed);
  writeFileSync(at(ODD), latin1('é\xff\n'));
  writeFileSync(at('a b.txt'), 'é\n');
  rmSync(at('gone.txt'));
  renameSync(at('moved.txt'), at('here.txt'));
  writeFileSync(at('here.txt'), changed);
  rmSync(at('linked.txt'));
  symlinkSync('a.js', at('linked.txt'));

  const diff = await worktree.diff();
  expect(diff).not.toContain('\ufffd');
  expect(diff).toContain('+evil()');
  expect(diff).toContain('+é\n');
  await apply(diff);
  expect(bytesAt('changed.txt').equals(changed)).toBe(true);
  expect(bytesAt('here.txt').equals(changed)).toBe(true);
  expect(bytesAt(ODD).equals(latin1('é\xff\n'))).toBe(true);
  expect(readlinkSync(join(repository.root, 'linked.txt'))).toBe('a.js');
  for (const name of ['gone.txt', 'moved.txt'])
    expect(lstatSync(join(repository.root, name), { throwIfNoEntry: false })).toBeUndefined();
});

it('keeps a byte order mark and whatever ends a line', async () => {
  const odd = '\ufeffone\r\ntwo\rthree\u2028\u0085\n\u000cend';
  writeFileSync(at('a.js'), odd);
  await apply(await worktree.diff());
  expect(bytesAt('a.js').toString()).toBe(odd);
});

it('shows and applies what ids stand for, whatever an agent puts in their place', async () => {
  const original = Array.from({ length: 40 }, (_, n) => `line ${n}\n`).join('');
  repository.write('app.js', original);
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message=app');
  const other = await createWorktrees({
    ...{ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp },
  }).create({ repository: repository.root, includeUncommitted: false, link: [] });
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: other.path, env: repository.env, encoding: 'utf8' }).trim();
    const evil = original.replace('line 30', 'evil()');
    writeFileSync(join(other.path, 'app.js'), evil);
    git('replace', git('rev-parse', 'HEAD:app.js'), git('hash-object', '-w', 'app.js'));
    writeFileSync(join(other.path, 'app.js'), evil.replace('line 3\n', 'line three\n'));
    expect(await other.diff()).toContain('+evil()');

    const signed = original.replace('line 3\n', 'line three\n');
    repository.write('app.js', signed);
    const diff = repository.git('--no-replace-objects', 'diff', '--binary');
    repository.git('--no-replace-objects', 'reset', '--quiet', '--hard');
    await apply(diff, { kind: 'branch', name: 'fix', message: 'Fix' });
    expect(repository.git('--no-replace-objects', 'show', 'fix:app.js')).toBe(signed);
  } finally {
    await other.remove();
  }
});
