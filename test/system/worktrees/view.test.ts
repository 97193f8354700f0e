import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TreeView, Worktree } from '../../../src/domain/ports/worktrees.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { createWorktrees } from '../../../src/system/worktrees/worktrees.js';
import { createRepository, type TestRepository } from '../../support/repository.js';

const FILES = {
  '.gitignore': '*.log\n',
  'README.md': 'read me\n',
  'src/a.ts': 'a\n',
  'src/deep/b.ts': 'b\n',
  'src2/c.ts': 'c\n',
  'secret/key.txt': 'secret\n',
  'kit-review/old.txt': 'old\n',
  '.kit/state': 'state\n',
  'app/workspace.yaml': 'w\n',
};

let repository: TestRepository;
const open: Worktree[] = [];
const worktrees = () => createWorktrees({ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp });
const show = async (
  view: Partial<TreeView>,
  directory = '',
  over: { readonly link?: readonly string[] } = {},
): Promise<Worktree> => {
  const worktree = await worktrees().create({
    repository: join(repository.root, directory),
    includeUncommitted: true,
    link: over.link ?? [],
    view: { paths: [], files: { 'kit-review/result.txt': 'the result' }, ...view },
  });
  open.push(worktree);
  return worktree;
};

/** Files below a directory, by path. */
const filesOf = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();

beforeEach(() => {
  repository = createRepository(FILES);
});
afterEach(async () => {
  for (const worktree of open.splice(0)) await worktree.remove();
  repository.dispose();
});

it('shows the files and folders that are named, what is laid beside them, and nothing else', async () => {
  const { path } = await show({ paths: ['src', 'README.md', 'missing', './src2/'] });

  expect(filesOf(path)).toEqual(['README.md', 'kit-review/result.txt', 'src/a.ts', 'src/deep/b.ts', 'src2/c.ts']);
  expect(readFileSync(join(path, 'src/a.ts'), 'utf8')).toBe('a\n');
});

it('a folder is not a prefix of a name', async () => {
  expect(filesOf((await show({ paths: ['sr', 'src/a'] })).path)).toEqual(['kit-review/result.txt']);
});

it('no path is not a file of the repository', async () => {
  expect(filesOf((await show({})).path)).toEqual(['kit-review/result.txt']);
});

it('the whole repository is a dot, without the state of kit', async () => {
  const files = filesOf((await show({ paths: ['.'] })).path);

  expect(files).toContain('secret/key.txt');
  expect(files.filter((file) => file.startsWith('.kit/'))).toEqual([]);
});

it('a pattern is a name: nothing is matched', async () => {
  expect(filesOf((await show({ paths: ['*', 'src/*.ts', ':(top)secret'] })).path)).toEqual(['kit-review/result.txt']);
});

it('the history of the repository cannot be reached from there', async () => {
  const { path } = await show({ paths: ['src'] });

  expect(existsSync(join(path, '.git'))).toBe(false);
});

it('changes of the user are not carried, and no folder is linked', async () => {
  repository.write('src/a.ts', 'changed\n');
  repository.write('node_modules/x.js', 'x\n');
  const { path } = await show({ paths: ['src'] }, '', { link: ['node_modules'] });

  expect(readFileSync(join(path, 'src/a.ts'), 'utf8')).toBe('a\n');
  expect(existsSync(join(path, 'node_modules'))).toBe(false);
});

it('a workspace in a folder of its own is where the reviewer works; paths start at the top of the repository', async () => {
  const { path } = await show({ paths: ['src/a.ts'] }, 'app');

  expect(filesOf(path)).toEqual(['kit-review/result.txt']);
  expect(readFileSync(join(path, '../src/a.ts'), 'utf8')).toBe('a\n');
});

it.each(['../outside', '/etc', 'a/../../b', '.git/config', 'a\0b'])('refuses %j', async (path) => {
  await expect(show({ paths: [path] })).rejects.toMatchObject({ code: 'KIT_SANDBOX_UNAVAILABLE' });
});

it('a refused view leaves nothing behind', async () => {
  await show({ paths: ['..'] }).catch(() => undefined);

  expect(readdirSync(repository.temp)).toEqual([]);
  expect(repository.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
});

it('a committed link cannot lead the files of the review elsewhere', async () => {
  repository.git('rm', '-rq', 'kit-review');
  symlinkSync(repository.temp, join(repository.root, 'kit-review'));
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message=link');
  const { path } = await show({ paths: ['.'] });

  expect(lstatSync(join(path, 'kit-review')).isDirectory()).toBe(true);
  expect(readdirSync(repository.temp).filter((name) => name === 'result.txt')).toEqual([]);
});

it('the diff is empty until something differs, in the files shown or in those laid beside them', async () => {
  const worktree = await show({ paths: ['src'] });

  expect(await worktree.diff()).toBe('');
  writeFileSync(join(worktree.path, 'kit-review/result.txt'), 'another result');
  expect(await worktree.diff()).toContain('another result');
});

it.each([
  ['a changed file', 'src/a.ts'],
  ['a new file', 'src/new.ts'],
])('the diff tells %s', async (_name, file) => {
  const worktree = await show({ paths: ['src'] });
  writeFileSync(join(worktree.path, file), 'x\n');

  expect(await worktree.diff()).toContain(`b/${file}`);
});

it('is found again after a crash, and removed without a trace', async () => {
  const worktree = await show({ paths: ['src'] });
  const again = await worktrees().reopen(worktree.path, worktree.baseCommit);
  writeFileSync(join(worktree.path, 'src/a.ts'), 'x\n');

  expect(await again?.diff()).toContain('+x');
  await again?.remove();
  expect(readdirSync(repository.temp)).toEqual([]);
  expect(repository.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
});

it('the repository of the user is read and never written', async () => {
  const before = repository.digest();
  const worktree = await show({ paths: ['src'] });
  writeFileSync(join(worktree.path, 'src/a.ts'), 'x\n');
  await worktree.diff();

  expect(repository.digest()).toBe(before);
});
