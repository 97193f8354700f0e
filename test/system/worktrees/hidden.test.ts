import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Worktree } from '../../../src/domain/ports/worktrees.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { createWorktrees } from '../../../src/system/worktrees/worktrees.js';
import { createRepository, type TestRepository } from '../../support/repository.js';

// People sign a diff: nothing that an agent does in its worktree may keep a change out of it, or
// make text unreadable in it.

let repository: TestRepository;
let worktree: Worktree;
beforeEach(async () => {
  repository = createRepository({ 'a.js': 'a\n', file: 'a file\n', 'dir/x.txt': 'x\n', 'pic.png': 'p\0one' });
  const worktrees = createWorktrees({ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp });
  worktree = await worktrees.create({ repository: repository.root, includeUncommitted: true, link: [] });
});
afterEach(async () => {
  await worktree.remove();
  repository.dispose();
});

function write(path: string, content: string): void {
  const target = join(worktree.path, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
}
const remove = (path: string): void => rmSync(join(worktree.path, path), { recursive: true });
const git = (...args: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.invalid', ...args], {
    ...{ cwd: worktree.path, env: repository.env, stdio: 'pipe' },
  });

/** A tree with the diff applied, as `path: text`. */
function applied(diff: string): Readonly<Record<string, string>> {
  const root = join(repository.temp, 'applied');
  const at = { cwd: root, env: repository.env } as const;
  repository.git('worktree', 'add', '--quiet', '--detach', root, 'HEAD');
  execFileSync('git', ['apply', '--index', '-'], { ...at, input: diff });
  const paths = execFileSync('git', ['ls-files', '-z'], { ...at, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);
  return Object.fromEntries(
    paths.map((path) => [path, execFileSync('git', ['show', `:${path}`], { ...at, encoding: 'utf8' })]),
  );
}

const STARTED = { 'a.js': 'a\n', file: 'a file\n', 'dir/x.txt': 'x\n', 'pic.png': 'p\0one' };

it.each(['* -diff', '* binary', '*.js diff=odd -text', '* diff='])(
  'text stays text under the attributes %j of the tree, and what is not text stays binary',
  async (line) => {
    write('.gitattributes', `${line}\n`);
    write('dir/.gitattributes', `${line}\n`);
    write('a.js', 'a\nevil()\n');
    write('dir/new.js', 'new()\n');
    write('pic.png', 'p\0two');

    const diff = await worktree.diff();
    expect(diff).toContain('+evil()');
    expect(diff).toContain('+new()');
    expect(diff.match(/^GIT binary patch$/gm)).toHaveLength(1);
    expect(applied(diff)).toMatchObject({ 'a.js': 'a\nevil()\n', 'dir/new.js': 'new()\n', 'pic.png': 'p\0two' });
  },
);

it('attributes of an ignored file hide nothing either', async () => {
  write('.gitignore', 'src/.gitattributes\n');
  write('src/.gitattributes', '* -diff\n');
  write('src/a.js', 'evil()\n');

  expect(await worktree.diff()).toContain('+evil()');
});

it("what the user wrote into the repository's own attributes holds", async () => {
  mkdirSync(join(repository.root, '.git/info'), { recursive: true });
  writeFileSync(join(repository.root, '.git/info/attributes'), '*.js -diff\n');
  write('a.js', 'changed\n');

  expect(await worktree.diff()).toContain('GIT binary patch');
});

it('a diff leaves nothing in the home of its worktree', async () => {
  const home = dirname(worktree.path);
  const before = readdirSync(home);
  write('new.txt', 'new\n');
  await worktree.diff();

  expect(readdirSync(home)).toEqual(before);
  expect(readdirSync(join(repository.root, '.git'))).toContain('objects');
});

it('holds the files of repositories that were made inside, however deep', async () => {
  write('nested/in/s.txt', 'seen\n');
  write('nested/.gitignore', '*.log\n');
  write('nested/noise.log', 'noise\n');
  git('init', '--quiet', 'nested');
  git('-C', 'nested', 'add', '--all');
  git('-C', 'nested', 'commit', '--quiet', '--message=x');
  write('nested/deep/er/t.txt', 'deep\n');
  git('init', '--quiet', 'nested/deep/er');
  git('init', '--quiet', 'nested/empty');
  write('dir/y.txt', 'y\n');
  git('init', '--quiet', 'dir');

  const after = applied(await worktree.diff());
  expect(after).toEqual({
    ...STARTED,
    'nested/.gitignore': '*.log\n',
    'nested/in/s.txt': 'seen\n',
    'nested/deep/er/t.txt': 'deep\n',
    'dir/y.txt': 'y\n',
  });
});

it('holds what vanished where a folder takes the place of a file, or a file that of a folder', async () => {
  remove('file');
  write('file/new.txt', 'new\n');
  remove('dir');
  write('dir', 'now a file\n');

  const diff = await worktree.diff();
  expect(diff).toContain('-a file');
  const { file: _file, 'dir/x.txt': _x, ...rest } = STARTED;
  expect(applied(diff)).toEqual({ ...rest, 'file/new.txt': 'new\n', dir: 'now a file\n' });
});

it('holds what vanished where a repository takes the place of a file', async () => {
  remove('file');
  write('file/new.txt', 'new\n');
  git('init', '--quiet', 'file');
  remove('a.js');
  git('init', '--quiet', 'a.js');

  const { file: _file, 'a.js': _a, ...rest } = STARTED;
  expect(applied(await worktree.diff())).toEqual({ ...rest, 'file/new.txt': 'new\n' });
});

it('a name that is not UTF-8 is refused, and nothing takes its place', async () => {
  writeFileSync(Buffer.concat([Buffer.from(join(worktree.path, 'bad-')), Buffer.from([0xff])]), 'x\n');
  await expect(worktree.diff()).rejects.toThrow('the name of the new file "bad-\ufffd" is not UTF-8');
  write('bad-\ufffd', 'another\n');
  await expect(worktree.diff()).rejects.toThrow('is not UTF-8');
});
