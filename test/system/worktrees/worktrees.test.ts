import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Worktree, WorktreeRequest } from '../../../src/domain/ports/worktrees.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { createWorktrees } from '../../../src/system/worktrees/worktrees.js';
import { until } from '../../support/processes.js';
import { createRepository, type TestRepository } from '../../support/repository.js';

const FILES = {
  '.gitignore': 'node_modules/\n*.log\n',
  'a.txt': 'one\ntwo\nthree\n',
  'dir/b.txt': 'b\n',
  'dir/only/c.txt': 'c\n',
  'script.sh': 'echo hi\n',
  'staged.txt': 'staged\n',
  'moved.txt': 'this file moves elsewhere\n',
  'becomes-dir': 'a file\n',
  'turned/x.txt': 'x\n',
};

let repository: TestRepository;
const open: Worktree[] = [];
const all = (): ReturnType<typeof createWorktrees> =>
  createWorktrees({ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp });
const create = async (request: Partial<WorktreeRequest> = {}): Promise<Worktree> => {
  const worktree = await all().create({ repository: repository.root, includeUncommitted: true, link: [], ...request });
  open.push(worktree);
  return worktree;
};
const inside = (worktree: Worktree, path: string): string => join(worktree.path, path);
const entries = (): number =>
  repository
    .git('worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => line.startsWith('worktree ')).length - 1;
/** Files of a tree with their content, without git's own. */
function filesOf(root: string, at = ''): Record<string, string> {
  return Object.assign(
    {},
    ...readdirSync(join(root, at), { withFileTypes: true }).flatMap((entry) => {
      const path = join(at, entry.name);
      if (path === '.git') return [];
      if (entry.isSymbolicLink()) return [{ [path]: `-> ${readlinkSync(join(root, path))}` }];
      if (entry.isDirectory()) return [filesOf(root, path)];
      return [
        { [path]: `${statSync(join(root, path)).mode & 0o111 ? 'x ' : ''}${readFileSync(join(root, path), 'latin1')}` },
      ];
    }),
  );
}

beforeEach(() => {
  repository = createRepository(FILES);
});
afterEach(async () => {
  for (const worktree of open.splice(0)) await worktree.remove();
  repository.dispose();
});

/** Every kind of change that git can know of a tracked file. */
function changeEverything(): void {
  repository.write('a.txt', 'one\nTWO\nthree\n');
  repository.write('staged.txt', 'staged and\n');
  repository.git('add', 'staged.txt');
  repository.write('staged.txt', 'staged and changed again\n');
  repository.write('added.txt', 'added\n');
  repository.write('debug.log', 'ignored by rule, added by force\n');
  repository.git('add', '--force', 'added.txt', 'debug.log');
  repository.write('intended.txt', 'intended\n');
  repository.git('add', '--intent-to-add', 'intended.txt');
  repository.git('mv', 'moved.txt', 'dir/new-place.txt');
  unlinkSync(join(repository.root, 'dir/b.txt'));
  repository.git('rm', '--quiet', 'dir/only/c.txt');
  chmodSync(join(repository.root, 'script.sh'), 0o755);
  repository.write(
    'binary.bin',
    Uint8Array.from({ length: 3_000 }, (_, i) => (i * 7) % 256),
  );
  repository.git('add', 'binary.bin');
  repository.git('rm', '--quiet', 'becomes-dir');
  repository.write('becomes-dir/inner.txt', 'inner\n');
  repository.git('add', 'becomes-dir/inner.txt');
  rmSync(join(repository.root, 'turned'), { recursive: true });
  symlinkSync('a.txt', join(repository.root, 'turned'));
  repository.git('add', '--all', 'turned');
  repository.write('line\nbreak "quoted" é.txt', 'odd name\n');
  repository.git('add', '--', ':(literal)line\nbreak "quoted" é.txt');
}

describe('a new worktree', () => {
  it('holds the commit of HEAD, detached, outside the repository', async () => {
    const worktree = await create();

    expect(filesOf(worktree.path)).toEqual(FILES);
    expect(worktree.baseCommit).toBe(repository.git('rev-parse', 'HEAD').trim());
    expect(worktree.path.startsWith(repository.temp)).toBe(true);
    expect(await worktree.diff()).toBe('');
    expect(() =>
      execFileSync('git', ['symbolic-ref', 'HEAD'], { cwd: worktree.path, env: repository.env, stdio: 'pipe' }),
    ).toThrow();
  });

  it('carries every kind of uncommitted change of tracked files, and its diff is empty', async () => {
    changeEverything();

    const worktree = await create();

    expect(filesOf(worktree.path)).toEqual(filesOf(repository.root));
    expect(Object.keys(filesOf(worktree.path))).not.toContain('dir/b.txt');
    expect(filesOf(worktree.path).turned).toBe('-> a.txt');
    expect(await worktree.diff()).toBe('');
  });

  it('leaves uncommitted changes behind when told to', async () => {
    changeEverything();

    expect(filesOf((await create({ includeUncommitted: false })).path)).toEqual(FILES);
  });

  it('carries a file that is in conflict as it lies there', async () => {
    repository.git('checkout', '--quiet', '-b', 'other');
    repository.write('a.txt', 'one\nother\nthree\n');
    repository.git('commit', '--quiet', '--all', '--message=other');
    repository.git('checkout', '--quiet', 'main');
    repository.write('a.txt', 'one\nmain\nthree\n');
    repository.git('commit', '--quiet', '--all', '--message=main');
    expect(() => repository.git('merge', 'other')).toThrow();

    const worktree = await create();

    expect(readFileSync(inside(worktree, 'a.txt'), 'utf8')).toContain('<<<<<<<');
    expect(await worktree.diff()).toBe('');
  });

  it('names untracked files that were not carried over, and leaves ignored ones and the state of kit unnamed', async () => {
    repository.write('new.txt', 'new\n');
    repository.write('notes/idea.txt', 'idea\n');
    repository.write('noise.log', 'noise\n');
    repository.write('node_modules/x/index.js', '\n');
    repository.write('.kit/kit.db', 'state');

    const worktree = await create();

    expect(worktree.notIncluded).toEqual(['new.txt', 'notes/idea.txt']);
    expect(existsSync(inside(worktree, 'new.txt'))).toBe(false);
    expect(existsSync(inside(worktree, '.kit'))).toBe(false);
  });

  it('never has the state of kit, even when somebody committed it', async () => {
    repository.write('.kit/kit.db', 'state');
    repository.git('add', '--force', '.kit');
    repository.git('commit', '--quiet', '--message=oops');

    const worktree = await create();

    expect(existsSync(inside(worktree, '.kit'))).toBe(false);
    expect(await worktree.diff()).toBe('');
  });

  it('writes nothing into the tree, index, configuration or objects of the user', async () => {
    changeEverything();
    repository.write('untracked.txt', 'untracked\n');
    repository.write('node_modules/x/index.js', 'x\n');
    // A file whose cached times are stale tempts git to rewrite the index.
    utimesSync(join(repository.root, '.gitignore'), 1_000, 1_000);
    const hook = join(repository.root, '.git/hooks/post-checkout');
    mkdirSync(join(repository.root, '.git/hooks'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch ${repository.root}/hook-ran\n`, { mode: 0o755 });
    const before = repository.digest();
    const objects = repository.git('count-objects', '-v');

    const worktree = await create({ link: ['node_modules'] });
    writeFileSync(inside(worktree, 'made.txt'), 'made\n');
    writeFileSync(inside(worktree, 'a.txt'), 'changed\n');
    expect(await worktree.diff()).toContain('made.txt');
    await worktree.remove();

    expect(repository.digest()).toBe(before);
    expect(repository.git('count-objects', '-v')).toBe(objects);
    expect(existsSync(join(repository.root, '.git/worktrees'))).toBe(false);
  });

  it('does not obey GIT_ variables of the user', async () => {
    const other = createRepository({ 'other.txt': 'other\n' });
    const env = {
      ...repository.env,
      GIT_DIR: join(other.root, '.git'),
      GIT_INDEX_FILE: '/no/such',
      GIT_WORK_TREE: other.root,
    };

    const worktree = await createWorktrees({ env, owner: readWorkerHost(), tempRoot: repository.temp }).create({
      repository: repository.root,
      includeUncommitted: true,
      link: [],
    });
    open.push(worktree);

    expect(filesOf(worktree.path)).toEqual(FILES);
    other.dispose();
  });

  it('leaves submodules alone and names them as not included', async () => {
    const other = createRepository({ 'inner.txt': 'inner\n' });
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.root, 'module');
    repository.git('commit', '--quiet', '--message=module');
    repository.write('module/inner.txt', 'changed\n');

    const worktree = await create();

    expect(readdirSync(inside(worktree, 'module'))).toEqual([]);
    expect(worktree.notIncluded).toContain('module');
    expect(await worktree.diff()).toBe('');
    await worktree.remove();
    expect(entries()).toBe(0);
    other.dispose();
  });

  it('is made side by side with others', async () => {
    const three = await Promise.all([create(), create(), create()]);

    expect(new Set(three.map((worktree) => worktree.path)).size).toBe(3);
    expect(entries()).toBe(3);
    await Promise.all(three.map((worktree) => worktree.remove()));
    expect(entries()).toBe(0);
  });

  it('is made all the same when git met the half made entry of another one', async () => {
    const gitPath = join(repository.temp, 'busy-git');
    const busy = `case "$*" in *"worktree add"*) if mkdir "${repository.temp}/met" 2>/dev/null; then echo "fatal: failed to read .git/worktrees/x/commondir: Success" >&2; exit 128; fi ;; esac`;
    writeFileSync(gitPath, `#!/bin/sh\n${busy}\nexec git "$@"\n`, { mode: 0o755 });
    const worktrees = createWorktrees({
      env: repository.env,
      owner: readWorkerHost(),
      tempRoot: repository.temp,
      gitPath,
    });
    const worktree = await worktrees.create({ repository: repository.root, includeUncommitted: false, link: [] });
    open.push(worktree);

    expect(existsSync(join(repository.temp, 'met'))).toBe(true);
    expect(await worktree.diff()).toBe('');
  });
});

describe('a workspace below the top of its repository', () => {
  it('maps to the same directory of the worktree, links from there, and names paths as seen from there', async () => {
    repository.write('dir/node_modules/x/index.js', 'x\n');
    repository.write('dir/near.txt', 'near\n');
    repository.write('far.txt', 'far\n');
    repository.write('a.txt', 'changed above the workspace\n');

    const worktree = await create({ repository: join(repository.root, 'dir'), link: ['node_modules'] });

    expect(worktree.path.endsWith('/dir')).toBe(true);
    expect(readdirSync(worktree.path).sort()).toEqual(['b.txt', 'node_modules', 'only']);
    expect(readFileSync(inside(worktree, '../a.txt'), 'utf8')).toBe('changed above the workspace\n');
    expect(worktree.notIncluded).toEqual(['near.txt', '../far.txt']);
    expect(await worktree.diff()).toBe('');
    await worktree.remove();
    expect(readdirSync(repository.temp)).toEqual([]);
  });

  it('has the dependency folders of the directories above it linked in as well', async () => {
    repository.write('node_modules/top/index.js', 'top\n');
    repository.write('dir/node_modules/near/index.js', 'near\n');
    repository.write('dir/kit/workspace.yaml', 'x\n');

    const worktree = await create({ repository: join(repository.root, 'dir/kit'), link: ['node_modules'] });

    expect(readFileSync(inside(worktree, '../node_modules/near/index.js'), 'utf8')).toBe('near\n');
    expect(readFileSync(inside(worktree, '../../node_modules/top/index.js'), 'utf8')).toBe('top\n');
    expect(worktree.notIncluded).toEqual(['workspace.yaml']);
    expect(await worktree.diff()).toBe('');
  });

  it('exists in the worktree also when nothing in it is committed', async () => {
    repository.write('fresh/workspace.yaml', 'x\n');

    const worktree = await create({ repository: join(repository.root, 'fresh') });

    expect(readdirSync(worktree.path)).toEqual([]);
    expect(worktree.notIncluded).toEqual(['workspace.yaml']);
  });
});

describe('linked folders', () => {
  it("are symbolic links to the user's own, and no part of the diff though the link itself is not ignored", async () => {
    repository.write('node_modules/x/index.js', 'x\n');

    const worktree = await create({ link: ['node_modules', 'vendor'] });

    expect(lstatSync(inside(worktree, 'node_modules')).isSymbolicLink()).toBe(true);
    expect(readFileSync(inside(worktree, 'node_modules/x/index.js'), 'utf8')).toBe('x\n');
    expect(existsSync(inside(worktree, 'vendor'))).toBe(false);
    expect(await worktree.diff()).toBe('');
    await worktree.remove();
    expect(repository.read('node_modules/x/index.js')).toBe('x\n');
  });

  it('may be untracked instead of ignored, and then are not named as missing', async () => {
    repository.write('deps/x.js', 'x\n');

    const worktree = await create({ link: ['deps/'] });

    expect(lstatSync(inside(worktree, 'deps')).isSymbolicLink()).toBe(true);
    expect(worktree.notIncluded).toEqual([]);
    expect(await worktree.diff()).toBe('');
  });

  it('are never folders with tracked files', async () => {
    const worktree = await create({ link: ['dir'] });

    expect(lstatSync(inside(worktree, 'dir')).isDirectory()).toBe(true);
  });

  it.each(['../outside', '/etc', '.', '.git', '.git/hooks', '.kit', 'a/../..', ''])(
    'are refused outside the workspace and inside git or kit: %j',
    async (name) => {
      await expect(create({ link: [name] })).rejects.toMatchObject({ code: 'KIT_SANDBOX_UNAVAILABLE' });

      expect(entries()).toBe(0);
      expect(readdirSync(repository.temp)).toEqual([]);
    },
  );
});

describe('the diff', () => {
  it("shows what changed since the start, on top of carried changes, and can be applied to the user's tree", async () => {
    changeEverything();
    const worktree = await create();
    appendFileSync(inside(worktree, 'a.txt'), 'four\n');
    unlinkSync(inside(worktree, 'added.txt'));
    mkdirSync(inside(worktree, 'deep/er'), { recursive: true });
    writeFileSync(inside(worktree, 'deep/er/new.txt'), 'new\n');
    writeFileSync(
      inside(worktree, 'binary.bin'),
      Uint8Array.from({ length: 3_000 }, (_, i) => (i * 11) % 256),
    );
    renameSync(inside(worktree, 'dir/new-place.txt'), inside(worktree, 'dir/newer-place.txt'));
    chmodSync(inside(worktree, 'script.sh'), 0o644);
    const expected = filesOf(worktree.path);

    const diff = await worktree.diff();

    expect(diff).toContain('+four');
    expect(diff).not.toContain('+TWO');
    expect(diff).toContain('rename to dir/newer-place.txt');
    writeFileSync(join(repository.base, 'work.patch'), diff);
    repository.git('apply', join(repository.base, 'work.patch'));
    expect(filesOf(repository.root)).toEqual(expected);
  });

  it('tells of media alone, whole, wherever they lie and however their names are written', async () => {
    const worktree = await create();
    const bytes = Uint8Array.from({ length: 3_000 }, (_, i) => (i * 11) % 256);
    mkdirSync(inside(worktree, 'deep/er'), { recursive: true });
    writeFileSync(inside(worktree, 'top.PNG'), bytes);
    writeFileSync(inside(worktree, 'deep/er/film.mp4'), bytes);
    writeFileSync(inside(worktree, 'notes.txt'), 'scratch\n');
    writeFileSync(inside(worktree, 'png'), 'no picture\n');
    appendFileSync(inside(worktree, 'a.txt'), 'four\n');

    const diff = await worktree.diff('media');

    expect([...diff.matchAll(/^diff --git a\/(.*) b\//gm)].map(([, path]) => path)).toEqual([
      'deep/er/film.mp4',
      'top.PNG',
    ]);
    writeFileSync(join(repository.base, 'media.patch'), diff);
    repository.git('apply', join(repository.base, 'media.patch'));
    expect(readFileSync(join(repository.root, 'top.PNG'))).toEqual(Buffer.from(bytes));
    expect(await (await create()).diff('media')).toBe('');
  });

  it('can be taken again and again', async () => {
    const worktree = await create();
    writeFileSync(inside(worktree, 'new.txt'), 'new\n');
    const first = await worktree.diff();

    expect(await worktree.diff()).toBe(first);
    unlinkSync(inside(worktree, 'new.txt'));
    expect(await worktree.diff()).toBe('');
  });

  it('sees a change of the same length in the second in which the worktree was made, also when asked later', async () => {
    repository.write('staged.txt', 'carried\n');
    const worktrees: Worktree[] = [];
    for (let round = 0; round < 5; round += 1) {
      const worktree = await create();
      writeFileSync(inside(worktree, 'dir/b.txt'), 'B\n');
      writeFileSync(inside(worktree, 'staged.txt'), 'CARRIED\n');
      worktrees.push(worktree);
    }
    const second = Math.floor(Date.now() / 1_000);
    await until('the next second has begun', () => Math.floor(Date.now() / 1_000) > second);

    for (const worktree of worktrees) {
      const diff = await worktree.diff();
      expect(diff).toContain('+B');
      expect(diff).toContain('+CARRIED');
    }
  });

  it('leaves ignored files and files of kit out', async () => {
    const worktree = await create();
    writeFileSync(inside(worktree, 'noise.log'), 'noise\n');
    writeFileSync(inside(worktree, '.kit-mcp.json'), '{}');

    expect(await worktree.diff()).toBe('');
  });

  it("holds when the agent commits, breaks the worktree's .git file, or makes a repository inside", async () => {
    const worktree = await create();
    writeFileSync(inside(worktree, 'work.txt'), 'work\n');
    const git = (...args: string[]): void =>
      void execFileSync('git', args, { cwd: worktree.path, env: repository.env, stdio: 'pipe' });
    git('add', 'work.txt');
    git('commit', '--quiet', '--message=work');
    git('init', '--quiet', 'nested');
    writeFileSync(inside(worktree, 'nested/x.txt'), 'x\n');
    rmSync(inside(worktree, '.git'));

    expect(await worktree.diff()).toContain('+work');
    await worktree.remove();
    expect(entries()).toBe(0);
  });

  it("does not depend on the user's configuration", async () => {
    const plain = await create();
    writeFileSync(inside(plain, 'a.txt'), 'changed\n');
    const expected = await plain.diff();
    for (const [key, value] of [
      ['diff.noprefix', 'true'],
      ['diff.mnemonicPrefix', 'true'],
      ['color.diff', 'always'],
      ['diff.external', '/bin/false'],
      ['diff.context', '0'],
      ['core.fsmonitor', '/bin/false'],
    ]) {
      repository.git('config', key ?? '', value ?? '');
    }

    expect(await plain.diff()).toBe(expected);
    const other = await create();
    writeFileSync(inside(other, 'a.txt'), 'changed\n');
    expect(await other.diff()).toBe(expected);
  });
});

describe('removal', () => {
  it('leaves nothing behind, and may be repeated', async () => {
    const worktree = await create();
    writeFileSync(inside(worktree, 'dirty.txt'), 'dirty\n');
    mkdirSync(inside(worktree, 'locked'));
    writeFileSync(inside(worktree, 'locked/file'), 'x');
    chmodSync(inside(worktree, 'locked'), 0o500);

    await worktree.remove();
    await worktree.remove();

    expect(entries()).toBe(0);
    expect(readdirSync(repository.temp)).toEqual([]);
  });

  it('works when the tree or the whole repository is gone already', async () => {
    const first = await create();
    rmSync(first.path, { recursive: true });
    await first.remove();
    expect(entries()).toBe(0);

    const second = await create();
    rmSync(repository.root, { recursive: true });
    await second.remove();
    expect(readdirSync(repository.temp)).toEqual([]);
  });

  it('spares the worktrees of the user, also those whose directory is away', async () => {
    const mine = join(repository.base, 'mine');
    repository.git('worktree', 'add', '--quiet', mine);
    renameSync(mine, `${mine}-away`);

    await (await create()).remove();

    expect(entries()).toBe(1);
  });
});

describe('reopening', () => {
  it('goes on in a worktree that a crashed process left', async () => {
    repository.write('a.txt', 'carried\n');
    repository.write('new.txt', 'new\n');
    const left = await create();
    writeFileSync(inside(left, 'work.txt'), 'work\n');

    const found = await all().reopen(left.path, left.baseCommit);

    expect(found).toMatchObject({ path: left.path, baseCommit: left.baseCommit, notIncluded: ['new.txt'] });
    expect(await found?.diff()).toBe(await left.diff());
    expect(await found?.diff()).toContain('+work');
    await found?.remove();
    expect(entries()).toBe(0);
  });

  it('answers null for one that is gone, has another base, or is none of kit', async () => {
    const worktree = await create();

    expect(await all().reopen(worktree.path, '0'.repeat(40))).toBeNull();
    expect(await all().reopen(repository.root, worktree.baseCommit)).toBeNull();
    expect(await all().reopen('/no/such/path', worktree.baseCommit)).toBeNull();
    await worktree.remove();
    expect(await all().reopen(worktree.path, worktree.baseCommit)).toBeNull();
  });
});

describe('where there can be no worktree', () => {
  const refusal = async (directory: string): Promise<unknown> =>
    create({ repository: directory }).catch((error: unknown) => error);

  it('says that git is missing', async () => {
    const without = createWorktrees({
      env: { ...repository.env, PATH: '/no/such' },
      owner: readWorkerHost(),
      tempRoot: repository.temp,
    });

    await expect(
      without.create({ repository: repository.root, includeUncommitted: true, link: [] }),
    ).rejects.toMatchObject({
      code: 'KIT_SANDBOX_UNAVAILABLE',
      hint: expect.stringContaining('Install git'),
    });
  });

  it('says that there is no repository, and how to make one', async () => {
    mkdirSync(join(repository.base, 'plain'));

    expect(await refusal(join(repository.base, 'plain'))).toMatchObject({
      code: 'KIT_SANDBOX_UNAVAILABLE',
      hint: expect.stringContaining('git init'),
    });
    expect(await refusal(join(repository.base, 'missing'))).toMatchObject({
      code: 'KIT_SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('not a directory'),
    });
  });

  it('says that there is no commit', async () => {
    const empty = createRepository({});

    expect(await refusal(empty.root)).toMatchObject({
      code: 'KIT_SANDBOX_UNAVAILABLE',
      hint: expect.stringContaining('first commit'),
    });
    empty.dispose();
  });

  it('refuses a bare repository and the inside of .git', async () => {
    repository.git('clone', '--quiet', '--bare', '.', join(repository.base, 'bare.git'));

    expect(await refusal(join(repository.base, 'bare.git'))).toMatchObject({
      code: 'KIT_SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('bare'),
    });
    expect(await refusal(join(repository.root, '.git'))).toMatchObject({ code: 'KIT_SANDBOX_UNAVAILABLE' });
  });

  it('refuses a folder for temporary files inside the repository, and leaves nothing there', async () => {
    const inner = createWorktrees({
      env: repository.env,
      owner: readWorkerHost(),
      tempRoot: join(repository.root, 'dir'),
    });

    await expect(
      inner.create({ repository: repository.root, includeUncommitted: true, link: [] }),
    ).rejects.toMatchObject({
      hint: expect.stringContaining('TMPDIR'),
    });
    expect(readdirSync(join(repository.root, 'dir')).sort()).toEqual(['b.txt', 'only']);
  });
});
