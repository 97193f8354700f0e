import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Worktree } from '../../../src/domain/ports/worktrees.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { createWorktrees } from '../../../src/system/worktrees/worktrees.js';
import { createRepository, type TestRepository } from '../../support/repository.js';

// A change that no person reads costs kit memory and time that other runs need.

const MIB = 1024 * 1024;

let repository: TestRepository;
let worktree: Worktree;
beforeEach(async () => {
  repository = createRepository({ '.gitignore': 'dist/\n', 'a.txt': 'one\n' });
  const worktrees = createWorktrees({ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp });
  worktree = await worktrees.create({ repository: repository.root, includeUncommitted: false, link: [] });
});
afterEach(async () => {
  await worktree.remove();
  repository.dispose();
});

/** Takes no room on the disk. */
function hole(path: string, mib: number): void {
  writeFileSync(join(worktree.path, path), '', { flag: 'a' });
  truncateSync(join(worktree.path, path), mib * MIB);
}
const TOO_LARGE = {
  code: 'KIT_SANDBOX_UNAVAILABLE',
  message: expect.stringMatching(/^the change is too large for a diff, which holds 64 MiB: .*\.gitignore$/),
};

it.each([
  ['new', 'data.bin'],
  ['of the commit', 'a.txt'],
])('files of more than 512 MiB are not handed to git, one that is %s', async (_name, path) => {
  hole(path, 600);
  writeFileSync(join(worktree.path, 'small.txt'), 'small\n');
  await expect(worktree.diff()).rejects.toMatchObject(TOO_LARGE);
  await expect(worktree.diff()).rejects.toThrow(`${path} (600.0 MiB), small.txt (0.0 MiB)`);
});

it('a diff of more than 64 MiB is refused, and the largest files are named', async () => {
  writeFileSync(join(worktree.path, 'big.txt'), 'x'.repeat(65 * MIB));
  for (const name of ['b', 'c', 'd']) writeFileSync(join(worktree.path, name), name);
  await expect(worktree.diff()).rejects.toMatchObject(TOO_LARGE);
  await expect(worktree.diff()).rejects.toThrow(/big\.txt \(65\.0 MiB\), .* and 1 more;/);
});

it('what is no work of the agent counts for nothing', async () => {
  hole('scratch.bin', 600);
  writeFileSync(join(worktree.path, 'dot.PNG'), 'no picture');
  expect(await worktree.diff('media')).toContain('dot.PNG');
});
