import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { WorkerHost } from '../../../src/domain/ports/stores.js';
import type { Worktree } from '../../../src/domain/ports/worktrees.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { sweepWorktrees } from '../../../src/system/worktrees/sweep.js';
import { createWorktrees } from '../../../src/system/worktrees/worktrees.js';
import { createRepository, type TestRepository } from '../../support/repository.js';

const here = readWorkerHost();
/** No process starts at tick 1 with the pid of this one. */
const dead: WorkerHost = { ...here, processStart: '1' };
const unwanted = async (): Promise<boolean> => false;

let repository: TestRepository;
const create = (owner: WorkerHost): Promise<Worktree> =>
  createWorktrees({ env: repository.env, owner, tempRoot: repository.temp }).create({
    repository: repository.root,
    includeUncommitted: true,
    link: [],
  });
const sweep = (isWanted: (path: string) => Promise<boolean> = unwanted): Promise<readonly string[]> =>
  sweepWorktrees({ here, tempRoot: repository.temp, isWanted });
const entries = (): number =>
  repository
    .git('worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => line.startsWith('worktree ')).length - 1;

beforeEach(() => {
  repository = createRepository();
});
afterEach(() => repository.dispose());

it('removes the worktrees of dead processes with their entries, and spares those of living ones', async () => {
  const left = await create(dead);
  const rebooted = await create({ ...here, bootId: 'an earlier boot' });
  const mine = await create(here);

  expect([...(await sweep())].sort()).toEqual([left.path, rebooted.path].sort());

  expect(existsSync(left.path)).toBe(false);
  expect(existsSync(mine.path)).toBe(true);
  expect(entries()).toBe(1);
});

it('spares a worktree that a run may still want', async () => {
  const left = await create(dead);

  expect(await sweep(async (path) => path === left.path)).toEqual([]);
  expect(
    await createWorktrees({ env: repository.env, owner: here, tempRoot: repository.temp }).reopen(
      left.path,
      left.baseCommit,
    ),
  ).not.toBeNull();
  expect(await sweep()).toEqual([]);
});

it('undoes a creation that a crash cut short after git had made its entry', async () => {
  const left = await create(dead);
  const record = join(dirname(left.path), 'worktree.json');
  writeFileSync(record, readFileSync(record, 'utf8').replace('"ready"', '"creating"'));

  expect(await sweep(async () => true)).toEqual([left.path]);
  expect(entries()).toBe(0);
});

it("removes a home without record only when it is old, and nothing that is not kit's", async () => {
  const fresh = mkdtempSync(join(repository.temp, 'kit-worktree-'));
  const old = mkdtempSync(join(repository.temp, 'kit-worktree-'));
  utimesSync(old, 1, 1);
  mkdirSync(join(repository.temp, 'somebody-elses'));

  await sweep();

  expect(existsSync(fresh)).toBe(true);
  expect(existsSync(old)).toBe(false);
  expect(existsSync(join(repository.temp, 'somebody-elses'))).toBe(true);
});

it('leaves only a prunable entry in the repository when the home vanished without it', async () => {
  const left = await create(dead);
  const keep = join(repository.base, 'kept-elsewhere');
  cpSync(dirname(left.path), keep, { recursive: true });
  const { rm } = await import('node:fs/promises');
  await rm(dirname(left.path), { recursive: true });

  repository.git('worktree', 'prune');

  expect(entries()).toBe(0);
  expect(readdirSync(repository.temp)).toEqual([]);
});

it('looks only at the worktrees of its own workspace when it is told which', async () => {
  const make = (store: string): Promise<Worktree> =>
    createWorktrees({ env: repository.env, owner: dead, tempRoot: repository.temp, store }).create({
      repository: repository.root,
      includeUncommitted: true,
      link: [],
      jobId: 'abc',
    });
  const mine = await make('/mine/.kit');
  const theirs = await make('/theirs/.kit');
  const asked: unknown[] = [];

  const removed = await sweepWorktrees({
    here,
    tempRoot: repository.temp,
    store: '/mine/.kit',
    isWanted: async (path, jobId) => {
      asked.push([path, jobId]);
      return false;
    },
  });

  expect(removed).toEqual([mine.path]);
  expect(asked).toEqual([[mine.path, 'abc']]);
  expect(existsSync(theirs.path)).toBe(true);
});
