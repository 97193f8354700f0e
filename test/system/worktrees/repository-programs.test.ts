import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRepositoryChanges } from '../../../src/system/changes/repository-changes.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { createWorktrees } from '../../../src/system/worktrees/worktrees.js';
import { createRepository, type TestRepository } from '../../support/repository.js';

// Whoever can write `.git/config` may not make kit run a program: only what the user's own
// configuration names is one.

const NUMBERS = 'one\ntwo\nthree\n';

let repository: TestRepository;
beforeEach(() => {
  repository = createRepository({ '.gitattributes': '*.txt filter=evil merge=evil diff=evil\n', 'a.txt': NUMBERS });
});
afterEach(() => repository.dispose());

const ran = (): boolean => existsSync(join(repository.base, 'ran'));
const evil = (): string => `touch '${join(repository.base, 'ran')}'; cat`;

const create = (includeUncommitted = false) =>
  createWorktrees({ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp }).create({
    ...{ repository: repository.root, includeUncommitted, link: [] },
  });

/** What a filter of this name refuses, and how somebody lets it run. */
const REFUSED = {
  code: 'KIT_SANDBOX_UNAVAILABLE',
  hint: expect.stringContaining('git config --global filter.evil.'),
};

it.each(['clean', 'smudge', 'process'])('a worktree runs no %s of the repository', async (program) => {
  repository.git('config', `filter.evil.${program}`, evil());
  repository.write('a.txt', 'changed\n');
  await expect(create(true)).rejects.toMatchObject(REFUSED);
  expect(ran()).toBe(false);
});

it('nor one of an included file, of the worktree, or of a name with an equals sign', async () => {
  repository.write('../more', `[filter "evil"]\n\tsmudge = "${evil()}"\n`);
  repository.git('config', 'include.path', join(repository.base, 'more'));
  await expect(create()).rejects.toMatchObject(REFUSED);

  repository.git('config', '--unset', 'include.path');
  repository.write('.gitattributes', '*.txt filter=ev=il.\n');
  repository.git('commit', '--quiet', '--all', '--message=odd');
  repository.git('config', 'extensions.worktreeConfig', 'true');
  repository.git('config', '--worktree', 'filter.ev=il..smudge', evil());
  await expect(create()).rejects.toMatchObject({ code: 'KIT_SANDBOX_UNAVAILABLE' });
  expect(ran()).toBe(false);
});

it.each([
  ['another length', 'changed\n'],
  ['the same length', NUMBERS.toUpperCase()],
])('a diff runs no filter that came while the agent worked, for a file of %s', async (_name, text) => {
  const worktree = await create();
  try {
    repository.git('config', 'filter.evil.clean', evil());
    writeFileSync(join(worktree.path, 'a.txt'), text);
    await expect(worktree.diff()).rejects.toMatchObject(REFUSED);
    repository.git('config', '--unset', 'filter.evil.clean');
    expect(await worktree.diff()).toContain(`+${text.split('\n')[0]}`);
  } finally {
    await worktree.remove();
  }
  expect(ran()).toBe(false);
});

it("the user's own filter runs, whatever the repository makes of it", async () => {
  repository.git('config', '--global', 'filter.evil.clean', 'tr a-z A-Z');
  repository.git('config', '--global', 'filter.evil.smudge', 'tr a-z A-Z');
  repository.git('config', 'filter.evil.smudge', 'tr a-z A-Z');
  const worktree = await create();
  try {
    expect(readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toBe(NUMBERS.toUpperCase());
    repository.git('config', 'filter.evil.clean', evil());
    writeFileSync(join(worktree.path, 'a.txt'), 'changed\n');
    expect(await worktree.diff()).toContain('+CHANGED');
    expect(ran()).toBe(false);
  } finally {
    await worktree.remove();
  }
});

it("a filter that no file asks for is in nobody's way", async () => {
  repository.git('config', 'filter.other.clean', evil());
  const worktree = await create();
  await worktree.remove();
  expect(ran()).toBe(false);
});

it('changes are applied without a driver of the repository, and conflict where it would merge', async () => {
  const baseCommit = repository.git('rev-parse', 'HEAD').trim();
  repository.write('a.txt', NUMBERS.replace('two', 'their two'));
  const diff = repository.git('diff', '--binary', '--full-index', '--no-ext-diff');
  repository.write('a.txt', NUMBERS.replace('two', 'my two'));
  repository.git('commit', '--quiet', '--all', '--message=mine');
  for (const key of ['merge.evil.driver', 'diff.evil.command', 'diff.evil.textconv', 'diff.external'])
    repository.git('config', key, evil());

  const result = await createRepositoryChanges({ env: repository.env, tempRoot: repository.temp }).merge({
    ...{
      repository: repository.root,
      onto: { kind: 'working-tree' },
      patches: [{ label: 'builder', diff, baseCommit }],
    },
  });
  expect(result).toMatchObject({ kind: 'conflict', paths: ['a.txt'] });
  expect(ran()).toBe(false);
});

it('looks into no submodule, whose configuration is a repository of its own', async () => {
  const inner = createRepository({ '.gitattributes': '* filter=evil\n', 'x.txt': 'x\n' });
  try {
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
    repository.git('commit', '--quiet', '--all', '--message=submodule');
    repository.git('config', '--file', '.git/modules/sub/config', 'filter.evil.clean', evil());
    repository.write('sub/x.txt', 'changed\n');
    const result = await createRepositoryChanges({ env: repository.env, tempRoot: repository.temp }).merge({
      ...{ repository: repository.root, onto: { kind: 'working-tree' }, patches: [] },
    });
    if (result.kind === 'merged') await result.discard();
    const worktree = await create(true);
    await worktree.diff();
    await worktree.remove();
    expect(ran()).toBe(false);
  } finally {
    inner.dispose();
  }
});

it('fetches nothing that the repository lacks: its remote names programs too', async () => {
  repository.write('b.txt', 'b\n');
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message=second');
  const blob = repository.git('rev-parse', 'HEAD:b.txt').trim();
  repository.git('config', 'extensions.partialClone', 'origin');
  repository.git('config', 'remote.origin.promisor', 'true');
  repository.git('config', 'protocol.ext.allow', 'always');
  repository.git('config', 'remote.origin.url', `ext::sh -c touch% '${join(repository.base, 'ran')}'`);
  rmSync(join(repository.root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  await expect(create()).rejects.toMatchObject({ code: 'KIT_SANDBOX_UNAVAILABLE' });
  expect(ran()).toBe(false);
});

it('a repository claims no folder above it as its working tree', async () => {
  repository.git('config', 'core.worktree', repository.base);
  await expect(create()).rejects.toMatchObject({ hint: expect.stringContaining('core.worktree') });
});
