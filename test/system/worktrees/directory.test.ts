import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Worktree } from '../../../src/domain/ports/worktrees.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { readHomeId } from '../../../src/system/worktrees/place.js';
import { discardWorktrees, sweepWorktrees } from '../../../src/system/worktrees/sweep.js';
import { createWorktrees } from '../../../src/system/worktrees/worktrees.js';
import { createRepository, type TestRepository } from '../../support/repository.js';

const here = readWorkerHost();
let repository: TestRepository;
beforeEach(() => {
  repository = createRepository();
});
afterEach(() => repository.dispose());

const places = (name = 'trees') => ({ directory: join(repository.base, name, 'deep'), tempRoot: repository.temp });
const worktrees = (of: ReturnType<typeof places> | { readonly tempRoot: string }, owner = here) =>
  createWorktrees({ env: repository.env, owner, store: 'store', ...of });
const create = (of = worktrees(places()), jobId = 'aaaaaaaaaaaa'): Promise<Worktree> =>
  of.create({ repository: repository.root, includeUncommitted: false, link: [], jobId });

it('makes the directory for its user alone, and gives it an id that stays', async () => {
  const [first, second] = [await create(), await create()];

  expect(statSync(places().directory).mode & 0o777).toBe(0o700);
  expect(first.path.startsWith(places().directory)).toBe(true);
  expect(first.home).toEqual(second.home);
  expect(first.home).toEqual({
    id: await readHomeId(places().directory),
    at: expect.stringContaining(places().directory),
  });
});

it('takes up a worktree that an earlier version made among temporary files, and sweeps it', async () => {
  const before = await create(worktrees({ tempRoot: repository.temp }, { ...here, processStart: '1' }));

  const again = await worktrees(places()).reopen(before.path, before.baseCommit);

  expect(again?.path).toBe(before.path);
  await again?.remove();
  const left = await create(worktrees({ tempRoot: repository.temp }, { ...here, processStart: '1' }));
  const other = await create(worktrees(places(), { ...here, processStart: '1' }));
  const swept = await sweepWorktrees({ here, ...places(), isWanted: async () => false });
  expect([...swept].sort()).toEqual([left.path, other.path].sort());
});

it('refuses a directory inside the repository, and one that cannot be made', async () => {
  const inside = worktrees({ ...places(), directory: join(repository.root, 'trees') });
  const file = worktrees({ ...places(), directory: join(repository.root, '.git', 'HEAD', 'trees') });

  await expect(create(inside)).rejects.toMatchObject({
    code: 'KIT_SANDBOX_UNAVAILABLE',
    hint: expect.stringContaining('KIT_WORKTREES_DIR'),
  });
  await expect(create(file)).rejects.toMatchObject({
    code: 'KIT_SANDBOX_UNAVAILABLE',
    hint: expect.stringContaining('KIT_WORKTREES_DIR'),
  });
});

it('gives up what one run has, and nothing of others', async () => {
  const [mine, theirs] = [await create(undefined, 'aaaaaaaaaaaa'), await create(undefined, 'bbbbbbbbbbbb')];

  expect(await discardWorktrees({ ...places(), store: 'store', jobId: 'aaaaaaaaaaaa' })).toEqual([mine.path]);

  expect(await worktrees(places()).reopen(mine.path, mine.baseCommit)).toBeNull();
  expect(await worktrees(places()).reopen(theirs.path, theirs.baseCommit)).not.toBeNull();
  expect(await discardWorktrees({ ...places(), store: 'another', jobId: 'bbbbbbbbbbbb' })).toEqual([]);
});
