import { appendFile, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { contribution } from '../../../plugins/triggers/src/file-watch.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { Firing } from '../../../src/domain/ports/triggers.js';
import { createTestContext, type TestContextOptions } from '../../../src/domain/testing.js';
import { TestClock } from '../../../src/testing/test-clock.js';

const QUIET_MS = 1000;
const PATIENCE = { timeout: 10_000, interval: 10 };

interface Watched {
  readonly root: string;
  readonly clock: TestClock;
  readonly fired: Firing[];
  readonly write: (path: string, text?: string) => Promise<void>;
  /** Waits until these many files are noted, then lets the quiet second pass. */
  readonly settle: (files: number) => Promise<void>;
  /** The changes that were fired since it was last asked, in the order of their paths. */
  readonly seen: () => readonly string[];
  readonly stop: () => void;
}

async function workspace(files: readonly string[] = []): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'kit-watch-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const path of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), 'before');
  }
  return root;
}

async function watching(config: JsonObject, root: string, context: TestContextOptions = {}): Promise<Watched> {
  const clock = new TestClock();
  const type = await contribution.create(config, createTestContext({ clock, ...context }));
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const fired: Firing[] = [];
  expect(await type.ready({ workspaceRoot: root })).toBeNull();
  await type.start?.({
    triggerId: 't',
    workspaceRoot: root,
    signal: stopping.signal,
    fire: async (firing) => void fired.push(firing),
  });
  return {
    root,
    clock,
    fired,
    write: async (path, text = 'after') => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      // Moved in whole: a file that is opened and then written is told of twice, and the second
      // time may come after the first has been settled.
      await writeFile(`${root}.next`, text);
      await rename(`${root}.next`, join(root, path));
    },
    settle: async (files) => {
      await vi.waitUntil(() => clock.sleeping >= files, PATIENCE);
      await clock.advance(QUIET_MS);
    },
    seen: () =>
      fired
        .splice(0)
        .map(({ input }) => {
          const { path, event } = input as { readonly path: string; readonly event: string };
          return `${event} ${path}`;
        })
        .toSorted(),
    stop: () => stopping.abort(),
  };
}

describe('a file_watch trigger', () => {
  it('tells of a file that comes, changes and goes, with its path in the workspace', async () => {
    const watched = await watching({ root: './docs' }, await workspace(['docs/old.md', 'other/x.md']));
    await watched.write('docs/new.md');
    await watched.settle(1);
    expect(watched.fired).toEqual([{ input: { path: 'docs/new.md', event: 'create' }, occurrence: null }]);
    expect(watched.seen()).toEqual(['create docs/new.md']);
    await watched.write('docs/old.md');
    await watched.write('other/x.md');
    await watched.settle(1);
    expect(watched.seen()).toEqual(['modify docs/old.md']);
    await rm(join(watched.root, 'docs/old.md'));
    await watched.settle(1);
    expect(watched.seen()).toEqual(['delete docs/old.md']);
  });

  it('waits until a file has rested for a second, and tells it once', async () => {
    const watched = await watching({}, await workspace(['a.txt']));
    await appendFile(join(watched.root, 'a.txt'), 'one');
    await vi.waitUntil(() => watched.clock.sleeping === 1, PATIENCE);
    await watched.clock.advance(QUIET_MS - 1);
    expect(watched.seen()).toEqual([]);
    await watched.clock.advance(1);
    expect(watched.seen()).toEqual(['modify a.txt']);
  });

  it('finds files in folders that are made later', async () => {
    const watched = await watching({ pattern: '**/*.md' }, await workspace(['a.md']));
    await watched.write('deep/er/still/b.md');
    await watched.settle(1);
    expect(watched.seen()).toEqual(['create deep/er/still/b.md']);
    await watched.write('deep/er/still/b.md', 'again');
    await watched.settle(1);
    expect(watched.seen()).toEqual(['modify deep/er/still/b.md']);
  });

  it('takes a file that is replaced by a rename for a changed one', async () => {
    const watched = await watching({ pattern: '*.md' }, await workspace(['a.md']));
    for (const round of ['one', 'two']) {
      await watched.write('a.md.tmp', round);
      await rename(join(watched.root, 'a.md.tmp'), join(watched.root, 'a.md'));
      await watched.settle(1);
      expect(watched.seen()).toEqual(['modify a.md']);
    }
  });

  it('tells of every file of a folder that is deleted', async () => {
    const watched = await watching({}, await workspace(['gone/a.md', 'gone/b/c.md', 'stays.md']));
    await rm(join(watched.root, 'gone'), { recursive: true });
    await watched.settle(2);
    expect(watched.seen()).toEqual(['delete gone/a.md', 'delete gone/b/c.md']);
  });

  it('never watches what kit and git write, wherever it lies', async () => {
    const root = await workspace(['.kit/store.sqlite', '.git/HEAD', 'sub/.git/index', 'state/store.sqlite']);
    const watched = await watching({ pattern: '**/{*,.*}' }, root, { env: { KIT_STATE_DIR: join(root, 'state') } });
    for (const path of ['.kit/store.sqlite', '.git/HEAD', 'sub/.git/index', 'state/store.sqlite', 'seen.txt'])
      await watched.write(path);
    await watched.settle(1);
    expect(watched.seen()).toEqual(['create seen.txt']);
  });

  it('fires for the events and the pattern that its file names alone', async () => {
    const watched = await watching(
      { pattern: './src/**/*.ts', events: ['created', 'delete'] },
      await workspace(['src/a.ts', 'src/b.ts', 'c.ts']),
    );
    await watched.write('src/a.ts');
    await watched.write('src/x/new.ts');
    await watched.write('src/new.js');
    await watched.write('c.ts');
    await rm(join(watched.root, 'src/b.ts'));
    await watched.settle(3);
    expect(watched.seen()).toEqual(['create src/x/new.ts', 'delete src/b.ts']);
  });

  it('does not tell of what was there before it listened', async () => {
    const watched = await watching({}, await workspace(['a', 'b', 'c']));
    await watched.write('d');
    await watched.settle(1);
    expect(watched.seen()).toEqual(['create d']);
  });

  it('follows no link out of its root', async () => {
    const [outside, root] = [await workspace(['secret.md']), await workspace(['a.md'])];
    await symlink(outside, join(root, 'link'));
    const watched = await watching({ pattern: '**' }, root);
    await writeFile(join(outside, 'secret.md'), 'changed');
    await watched.write('a.md');
    await watched.settle(1);
    expect(watched.seen()).toEqual(['modify a.md']);
  });

  it('stops with its signal', async () => {
    const watched = await watching({}, await workspace(['a.md']));
    await watched.write('a.md');
    await vi.waitUntil(() => watched.clock.sleeping === 1, PATIENCE);
    watched.stop();
    await watched.clock.advance(2 * QUIET_MS);
    expect(watched.seen()).toEqual([]);
    expect(watched.clock.sleeping).toBe(0);
  });

  it('refuses a root outside the workspace, also when a link leads there', async () => {
    const [outside, root] = [await workspace(), await workspace()];
    await symlink(outside, join(root, 'link'));
    const ready = async (config: JsonObject): Promise<string | null> =>
      (await contribution.create(config, createTestContext())).ready({ workspaceRoot: root });
    expect(await ready({ root: 'link' })).toContain('leads out of the workspace');
    expect(await ready({ root: 'nowhere' })).toContain('does not exist');
    for (const path of ['..', '../x', 'a/../../x', '/etc'])
      await expect(ready({ root: path })).rejects.toMatchObject({ code: 'KIT_PLUGIN_CONFIG_INVALID' });
    const type = await contribution.create({ root: 'link' }, createTestContext());
    const { signal } = new AbortController();
    await expect(type.start?.({ triggerId: 't', workspaceRoot: root, signal, fire: async () => {} })).rejects.toThrow(
      'leads out of the workspace',
    );
  });

  it('refuses a pattern that fits nothing', async () => {
    for (const pattern of ['/abs/*.md', '../*.md', 'a[b', '(a', '{a,b'])
      await expect(
        (async () => contribution.create({ pattern }, createTestContext()))(),
        pattern,
      ).rejects.toMatchObject({
        code: 'KIT_PLUGIN_CONFIG_INVALID',
      });
  });
});
