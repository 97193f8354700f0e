import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { createWorktrees } from '../../../src/system/worktrees/worktrees.js';
import { countedGit } from '../../support/counted-git.js';
import { createRepository, type TestRepository } from '../../support/repository.js';

// Each call of git is a process: what a session waits for before it begins and after it has ended.

let repository: TestRepository;
beforeEach(() => {
  repository = createRepository({ '.gitignore': 'node_modules/\n', 'a.txt': 'one\n', 'dir/b.txt': 'b\n' });
});
afterEach(() => repository.dispose());

function createCounted() {
  const { path: gitPath, take } = countedGit(repository);
  const worktrees = createWorktrees({
    ...{ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp, gitPath },
  });
  return { worktrees, take };
}

it('makes a worktree in three calls of git, and tells its changes in four at most', async () => {
  const { worktrees, take } = createCounted();
  const worktree = await worktrees.create({ repository: repository.root, includeUncommitted: false, link: [] });
  try {
    expect(take()).toEqual(['rev-parse', 'worktree', 'ls-files']);

    expect(await worktree.diff()).toBe('');
    expect(take()).toEqual(['ls-files', 'diff']);

    repository.write(join('..', worktree.path.slice(repository.base.length), 'new.txt'), 'new\n');
    expect(await worktree.diff()).toContain('+new');
    expect(take()).toEqual(['ls-files', 'write-tree', 'update-index', 'diff']);
  } finally {
    await worktree.remove();
  }
  expect(take()).toEqual([]);
});

it('carries changes of the user and links folders over with one more call each', async () => {
  repository.write('a.txt', 'changed\n');
  repository.write('node_modules/x/index.js', '1\n');
  const { worktrees, take } = createCounted();
  const worktree = await worktrees.create({
    ...{ repository: repository.root, includeUncommitted: true, link: ['node_modules'] },
  });
  expect(take()).toEqual(['rev-parse', 'worktree', 'diff', 'update-index', 'ls-files', 'ls-files']);
  await worktree.remove();
});

it('finds a repository whose path holds a line break', async () => {
  repository.write('odd\nfolder/c.txt', 'c\n');
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message=odd');
  const { worktrees } = createCounted();
  const odd = join(repository.root, 'odd\nfolder');
  const worktree = await worktrees.create({ repository: odd, includeUncommitted: false, link: [] });
  expect(readFileSync(join(worktree.path, 'c.txt'), 'utf8')).toBe('c\n');
  await worktree.remove();
});
