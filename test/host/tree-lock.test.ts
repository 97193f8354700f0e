import { mkdir, mkdtemp, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { LockEntry } from '../../src/domain/ports/plugins.js';
import { createIntegrityLock, type IntegrityLock } from '../../src/host/integrity-lock.js';
import { digestOf, type TreeFile, treeLooks } from '../../src/host/tree-files.js';
import { lockTree, treeChanges } from '../../src/host/tree-lock.js';

const ENTRY: LockEntry = { version: '1.0.0', sha512: 'x', effects: [], commands: [] };
const OWN = 'p/dist/a.js';
const BUNDLED = 'p/node_modules/inner/i.js';
const HOISTED = '@x/dep/index.js';
const HISTORY = 'dep/.git/hook.js';

let dataDir: string;
let outside: string;
let lock: IntegrityLock;
const at = (path: string): string => join(dataDir, 'node_modules', path);
const plugin = () => ({ name: 'p', root: at('p') });
const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kit-tree-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  dataDir = join(folder, 'data');
  outside = join(folder, 'outside');
  for (const path of [OWN, BUNDLED, HOISTED, HISTORY]) await put(at(path), `// ${path}`);
  await put(join(outside, 'o.js'), '// outside');
  await symlink(outside, at('linked-dep'));
  await mkdir(at('.bin'));
  await symlink('../dep/.git/hook.js', at('.bin/hook'));
  lock = createIntegrityLock(dataDir);
  await lock.write('p', ENTRY);
});

/** Same size, same times: only the inode and what no program can set tell of it. */
async function quietly(path: string): Promise<void> {
  const times = new Date(1_000_000);
  await utimes(path, times, times);
  await lock.write('p', ENTRY);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('//', '/*'));
  await utimes(path, times, times);
}

describe('the lock of the installed tree', () => {
  it.each([
    ['a file of the plugin', OWN, 'was changed', () => put(at(OWN), 'x')],
    ['a file of a bundled dependency', BUNDLED, 'was changed', () => put(at(BUNDLED), 'x')],
    ['a file of a hoisted dependency', HOISTED, 'was changed', () => put(at(HOISTED), 'x')],
    ['a file below .git', HISTORY, 'was changed', () => put(at(HISTORY), 'x')],
    ['a file that keeps size and times', HOISTED, 'was changed', () => quietly(at(HOISTED))],
    ['a new file', 'dep/new.js', 'was added', () => put(at('dep/new.js'), '')],
    ['a new package', 'other/index.js', 'was added', () => put(at('other/index.js'), '')],
    ['a removed file', BUNDLED, 'was removed', () => rm(at(BUNDLED))],
    ['a link that leads elsewhere', '.bin/hook', 'was changed', () => swap('.bin/hook', '../p/dist/a.js')],
    ['a file that became a link', HOISTED, 'was changed', () => swap(HOISTED, '../../p/dist/a.js')],
    ['a file behind a link out of the tree', 'linked-dep/->/o.js', 'was changed', () => put(join(outside, 'o.js'), '')],
  ])('refuses %s, by name', async (_name, path, what, change) => {
    await lock.verify(plugin());
    await change();

    await expect(lock.verify(plugin())).rejects.toMatchObject({
      code: 'KIT_PLUGIN_INTEGRITY',
      message: expect.stringContaining(`${at(path)} ${what}`),
    });
    expect(await lock.changes()).toContain(`${path} ${what}`);
  });

  const swap = async (path: string, target: string): Promise<void> => {
    await rm(at(path));
    await symlink(target, at(path));
  };

  it('lets the same bytes through, however they came there', async () => {
    await put(`${at(OWN)}.next`, `// ${OWN}`);
    await rename(`${at(OWN)}.next`, at(OWN));
    await utimes(at(HOISTED), new Date(), new Date());

    await lock.verify(plugin());
    expect(await lock.changes()).toEqual([]);
  });

  it('accepts with one plugin all others, and names the packages that changed', async () => {
    await put(at(HOISTED), 'next version');
    await put(at('q/index.js'), '');
    await put(at('p/dist/b.js'), '');

    expect(await lock.write('p', ENTRY)).toEqual(['@x/dep', 'q']);
    await lock.verify(plugin());
  });

  it('accepts with a removal nothing that nobody had accepted before it', async () => {
    await lock.write('q', ENTRY);
    await put(at(HOISTED), 'by hand');
    await put(at('dep/new.js'), '');
    const refused = await lock.changes();
    await rm(at('dep/.git'), { recursive: true });

    await lock.write('q', null, refused);

    expect(await lock.changes()).toEqual([`${HOISTED} was changed`, 'dep/new.js was added']);
    await expect(lock.verify(plugin())).rejects.toMatchObject({ code: 'KIT_PLUGIN_INTEGRITY' });
  });

  it('covers a linked plugin by its place alone', async () => {
    const linked = { name: 'l', root: outside };
    await expect(lock.verify(linked)).rejects.toMatchObject({ message: 'l was never accepted on this machine' });
    await lock.write('l', { ...ENTRY, linked: outside });
    await put(join(outside, 'more.js'), '');

    await lock.verify(linked);
    await expect(lock.verify({ name: 'l', root: at('p') })).rejects.toMatchObject({
      code: 'KIT_PLUGIN_INTEGRITY',
      message: expect.stringContaining('another directory'),
    });
    await expect(lock.verify({ name: 'p', root: outside })).rejects.toMatchObject({ code: 'KIT_PLUGIN_INTEGRITY' });
  });

  it('asks no single file while the tree looks as a whole as it was accepted', async () => {
    await writeFile(join(dataDir, 'kit-plugins.tree.json'), 'not read');
    await lock.verify(plugin());

    await utimes(at(OWN), new Date(), new Date());
    await expect(lock.verify(plugin())).rejects.toMatchObject({ message: expect.stringContaining('not readable') });
  });

  it('reads of 5,000 files those that do not look as they did', async () => {
    for (let n = 0; n < 50; n += 1) {
      await mkdir(at(`many/${n}`), { recursive: true });
      await Promise.all(Array.from({ length: 100 }, (_, m) => writeFile(at(`many/${n}/${m}.js`), `${n} ${m}`)));
    }
    const [root, read] = [join(dataDir, 'node_modules'), [] as string[]];
    const now = lockTree(root);
    const digest = (file: TreeFile): string => {
      read.push(file.path);
      return digestOf(file);
    };
    await utimes(at(OWN), new Date(), new Date());

    const started = process.cpuUsage();
    expect(treeChanges(root, now, digest)).toEqual([]);
    const { user, system } = process.cpuUsage(started);
    expect(read).toEqual([OWN]);
    process.stdout.write(
      `a tree of 5,000 files was compared in ${Math.round((user + system) / 1_000)} ms of a processor\n`,
    );
    const again = process.cpuUsage();
    expect(treeLooks(root)).toBe(treeLooks(root));
    const both = process.cpuUsage(again);
    process.stdout.write(`as a whole in ${Math.round((both.user + both.system) / 2_000)} ms\n`);
  });
});
