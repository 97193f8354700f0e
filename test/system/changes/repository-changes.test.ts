import { existsSync, lstatSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApplyTarget, MergedPatches, Patch } from '../../../src/domain/ports/repository.js';
import { createRepositoryChanges } from '../../../src/system/changes/repository-changes.js';
import { createRepository, type TestRepository } from '../../support/repository.js';

const lines = (...texts: string[]): string => texts.map((text) => `${text}\n`).join('');
const NUMBERS = lines('one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten');

let repo: TestRepository;
beforeEach(() => {
  repo = createRepository({ 'numbers.txt': NUMBERS, 'src/old.ts': 'export const a = 1;\n', 'gone.txt': 'x\n' });
});
afterEach(() => repo.dispose());

const head = (): string => repo.git('rev-parse', 'HEAD').trim();

/** The diff of an edit, and the files as they were before it. */
function diffOf(edit: () => void, label = 'builder'): Patch {
  const baseCommit = head();
  edit();
  repo.git('add', '--all');
  const diff = repo.git('diff', '--cached', '--binary', '--find-renames', '--src-prefix=a/', '--dst-prefix=b/');
  repo.git('reset', '--quiet', '--hard');
  return { label, diff, baseCommit };
}

const merge = (patches: readonly Patch[], onto: ApplyTarget = { kind: 'working-tree' }): Promise<MergedPatches> =>
  createRepositoryChanges({ env: repo.env, tempRoot: repo.temp }).merge({ repository: repo.root, patches, onto });

async function merged(...call: Parameters<typeof merge>) {
  const result = await merge(...call);
  if (result.kind !== 'merged') throw new Error(`${result.label}: ${result.detail}`);
  return result;
}

async function apply(...call: Parameters<typeof merge>) {
  const result = await merged(...call);
  try {
    return { ...result, ...(await result.write()) };
  } finally {
    await result.discard();
  }
}

const edit = (from: string, to: string): void => repo.write('numbers.txt', repo.read('numbers.txt').replace(from, to));

describe('onto the working tree', () => {
  it('writes edits, new, renamed, removed and binary files, and leaves index and commits as they were', async () => {
    const bytes = new Uint8Array([0, 1, 2, 255, 0, 10]);
    const patch = diffOf(() => {
      edit('two', 'TWO');
      repo.write('new/file.txt', 'new\n');
      repo.write('picture.png', bytes);
      repo.write('run.sh', '#!/bin/sh\n', 0o755);
      repo.git('mv', 'src/old.ts', 'src/new.ts');
      repo.git('rm', '--quiet', 'gone.txt');
    });
    const before = head();

    const result = await apply([patch]);

    expect(result.paths.map(({ change, path }) => `${change} ${path}`)).toEqual([
      'deleted gone.txt',
      'added new/file.txt',
      'changed numbers.txt',
      'added picture.png',
      'added run.sh',
      'added src/new.ts',
      'deleted src/old.ts',
    ]);
    expect(repo.read('numbers.txt')).toBe(NUMBERS.replace('two', 'TWO'));
    expect(lstatSync(join(repo.root, 'run.sh')).mode & 0o111).not.toBe(0);
    expect(existsSync(join(repo.root, 'gone.txt'))).toBe(false);
    expect(head()).toBe(before);
    expect(repo.git('diff', '--cached', '--name-only')).toBe('');
    expect(readdirSync(repo.temp)).toEqual([]);
  });

  it('merges with work of the user that is not committed, in the same file and untracked', async () => {
    const patch = diffOf(() => {
      edit('two', 'TWO');
      repo.write('notes.txt', 'from the run\n');
    });
    edit('nine', 'NINE');
    repo.write('notes.txt', 'from the run\n');

    await apply([patch]);

    expect(repo.read('numbers.txt')).toBe(NUMBERS.replace('two', 'TWO').replace('nine', 'NINE'));
  });

  it('merges with commits that came later, by the base commit', async () => {
    // Without a third way the lines around the edit would have to be the same.
    const patch = diffOf(() => edit('five', 'FIVE'));
    edit('two', 'a\nb\nc\nd\ntwo');
    repo.git('commit', '--quiet', '--all', '--message=later');

    const { missingBases } = await apply([patch]);

    expect(repo.read('numbers.txt')).toContain('FIVE');
    expect(repo.read('numbers.txt')).toContain('d\ntwo');
    expect(missingBases).toEqual([]);
  });

  it.each([
    { what: 'the same line', change: () => edit('two', 'mine'), paths: ['numbers.txt'] },
    { what: 'a file that is gone', change: () => repo.git('rm', '--quiet', 'numbers.txt'), paths: ['numbers.txt'] },
  ])('names a conflict about $what and writes nothing', async ({ change, paths }) => {
    const patch = diffOf(() => {
      edit('two', 'TWO');
      repo.write('also.txt', 'also\n');
    });
    change();
    const before = repo.digest();
    const objects = repo.git('count-objects', '-v');

    const result = await merge([patch]);

    expect(result).toMatchObject({ kind: 'conflict', label: 'builder', paths });
    expect(repo.digest()).toBe(before);
    expect(repo.git('count-objects', '-v')).toBe(objects);
    expect(readdirSync(repo.temp)).toEqual([]);
  });

  it('never overwrites an untracked file that holds something else', async () => {
    const patch = diffOf(() => repo.write('notes.txt', 'from the run\n'));
    repo.write('notes.txt', 'mine\n');

    expect(await merge([patch])).toMatchObject({ kind: 'conflict', paths: ['notes.txt'] });
    expect(repo.read('notes.txt')).toBe('mine\n');
  });

  it('applies the changes of several agents in their order, and tells which one does not fit', async () => {
    const first = diffOf(() => edit('two', 'TWO'), 'first');
    const second = diffOf(() => edit('nine', 'NINE'), 'second');
    const third = diffOf(() => edit('two', 'zwei'), 'third');

    expect(await merge([first, second, third])).toMatchObject({ kind: 'conflict', label: 'third' });
    await apply([first, second]);

    expect(repo.read('numbers.txt')).toBe(NUMBERS.replace('two', 'TWO').replace('nine', 'NINE'));
  });

  it('has nothing to write the second time', async () => {
    const patch = diffOf(() => edit('two', 'TWO'));
    await apply([patch]);

    expect((await apply([patch])).paths).toEqual([]);
  });

  it('says that the base commit is missing, and applies what fits without it', async () => {
    const patch = { ...diffOf(() => edit('two', 'TWO')), baseCommit: 'e'.repeat(40) };

    const { missingBases } = await apply([patch]);

    expect(missingBases).toEqual(['e'.repeat(40)]);
    expect(repo.read('numbers.txt')).toContain('TWO');
  });

  it('tells where a new link leads', async () => {
    const patch = diffOf(() => symlinkSync('/etc/passwd', join(repo.root, 'link')));

    const result = await apply([patch]);

    expect(result.paths).toEqual([{ path: 'link', change: 'added', linkTo: '/etc/passwd' }]);
    expect(readlinkSync(join(repo.root, 'link'))).toBe('/etc/passwd');
  });

  it.each(['.git/hooks/pre-commit', '../outside.txt', 'link/inside.txt'])('never writes %s', async (path) => {
    symlinkSync(repo.temp, join(repo.root, 'link'));
    const diff = `diff --git a/${path} b/${path}\nnew file mode 100755\nindex 0000000..587be6b\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
    const before = repo.digest();

    const result = await merge([{ label: 'builder', diff, baseCommit: head() }]);
    if (result.kind === 'merged') {
      await expect(result.write()).rejects.toMatchObject({ code: 'KIT_APPLY_CONFLICT' });
      await result.discard();
    }

    expect(repo.digest()).toBe(before);
    expect(readdirSync(repo.temp)).toEqual([]);
  });

  it('refuses while the user is in the middle of a merge', async () => {
    const patch = diffOf(() => repo.write('new.txt', 'new\n'));
    repo.git('checkout', '--quiet', '-b', 'other');
    edit('two', 'other');
    repo.git('commit', '--quiet', '--all', '--message=other');
    repo.git('checkout', '--quiet', 'main');
    edit('two', 'main');
    repo.git('commit', '--quiet', '--all', '--message=main');
    expect(() => repo.git('merge', 'other')).toThrow();

    await expect(merge([patch])).rejects.toMatchObject({ code: 'KIT_APPLY_REFUSED' });
  });
});

describe('onto a branch', () => {
  const branch = (name: string): ApplyTarget => ({ kind: 'branch', name, message: 'Apply run\n\nKit-Run: 1\n' });

  it('makes one commit on top of the base commit, whatever lies in the working tree', async () => {
    const first = diffOf(() => edit('two', 'TWO'), 'first');
    const second = diffOf(() => edit('nine', 'NINE'), 'second');
    edit('two', 'mine');
    repo.git('commit', '--quiet', '--all', '--message=later');
    edit('three', 'not committed');
    const before = repo.read('numbers.txt');

    const { commit } = await apply([first, second], branch('kit/work'));

    expect(repo.git('rev-parse', 'kit/work').trim()).toBe(commit);
    expect(repo.git('rev-parse', 'kit/work~1').trim()).toBe(first.baseCommit);
    expect(repo.git('show', 'kit/work:numbers.txt')).toBe(NUMBERS.replace('two', 'TWO').replace('nine', 'NINE'));
    expect(repo.git('log', '-1', '--format=%an%n%B', 'kit/work')).toBe('Test\nApply run\n\nKit-Run: 1\n\n');
    expect(repo.git('branch', '--show-current').trim()).toBe('main');
    expect(repo.read('numbers.txt')).toBe(before);
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it.each(['main', '-d', 'a..b', 'with space'])('refuses the name %s', async (name) => {
    const patch = diffOf(() => edit('two', 'TWO'));
    const before = repo.digest();

    await expect(merge([patch], branch(name))).rejects.toMatchObject({ code: 'KIT_APPLY_REFUSED' });
    expect(repo.digest()).toBe(before);
  });

  it('refuses without the base commit, and names it', async () => {
    const patch = { ...diffOf(() => edit('two', 'TWO')), baseCommit: 'e'.repeat(40) };

    await expect(merge([patch], branch('kit/work'))).rejects.toMatchObject({
      code: 'KIT_APPLY_REFUSED',
      message: expect.stringContaining('e'.repeat(40)),
    });
  });

  it('refuses where git does not know who the user is, and leaves no branch', async () => {
    const patch = diffOf(() => edit('two', 'TWO'));
    repo.git('config', '--unset', 'user.name');
    repo.git('config', '--unset', 'user.email');
    repo.git('config', 'user.useConfigOnly', 'true');

    await expect(apply([patch], branch('kit/work'))).rejects.toMatchObject({ code: 'KIT_APPLY_REFUSED' });
    expect(repo.git('branch', '--list', 'kit/*')).toBe('');
  });
});
