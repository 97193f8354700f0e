import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Worktree } from '../../../../src/domain/ports/worktrees.js';
import { readWorkerHost } from '../../../../src/system/worker-host.js';
import { loadBuilt } from './built.js';
import { type Times, timesOf } from './times.js';

export interface TreeTimes {
  readonly made: Times;
  /** `git worktree add` alone, in turns with kit. */
  readonly bareGit: Times;
  readonly told: Times;
}

/**
 * Worktrees of one repository, a file added to each, and their diffs. Nothing is removed before the
 * last is made: ext4 looks at each inode that was deleted within the last minutes before it gives a
 * new one away, which made `git worktree add` of 10,000 files take 6 s instead of 0.2 s.
 */
export async function measureTrees(directory: string, files: number, times: number): Promise<TreeTimes> {
  const { createWorktrees } = await loadBuilt();
  const [root = '', temp = ''] = ['repository', 'temp'].map((name) => join(directory, `${name}-${files}`));
  for (const folder of [root, temp]) mkdirSync(folder, { recursive: true });
  const env = { PATH: process.env.PATH ?? '', HOME: directory, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=B', '-c', 'user.email=b@b', ...args], { cwd: root, env });
  for (let at = 0; at < files; at += 1) {
    const path = join(root, `d${at % 100}`, `f${at}.txt`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `line ${at}\n`.repeat(20));
  }
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message=first');
  const worktrees = createWorktrees({ env, owner: readWorkerHost(), tempRoot: temp });
  const [made, bare, reported]: [number[], number[], number[]] = [[], [], []];
  const took = async (into: number[], work: () => unknown): Promise<void> => {
    const begun = performance.now();
    await work();
    into.push(performance.now() - begun);
  };
  const open: Worktree[] = [];
  for (let time = 0; time < times; time += 1) {
    await took(bare, () => git('worktree', 'add', '--detach', '--quiet', join(temp, `bare-${time}`)));
    await took(made, async () =>
      open.push(await worktrees.create({ repository: root, includeUncommitted: false, link: [] })),
    );
  }
  for (const worktree of open) {
    writeFileSync(join(worktree.path, 'new.txt'), 'new\n');
    await took(reported, () => worktree.diff());
  }
  for (const worktree of open) await worktree.remove();
  return { made: timesOf(made), bareGit: timesOf(bare), told: timesOf(reported) };
}
