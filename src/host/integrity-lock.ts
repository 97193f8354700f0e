import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KitError } from '../domain/errors.js';
import type { LockEntry } from '../domain/ports/plugins.js';
import { treeLooks } from './tree-files.js';
import { changedPackages, keepRefused, lockTree, type TreeLock, treeChanges } from './tree-lock.js';

/** The accepted plugins of one user, and every file of the tree that they are installed in. */
export interface IntegrityLock {
  read(name: string): Promise<LockEntry | null>;
  /** Files of the tree that are not those that were accepted: `<path> was changed`. */
  changes(): Promise<readonly string[]>;
  /**
   * Writes an entry and accepts the tree as it is; null removes the entry, and accepts only what
   * the removal has changed: `refused` are the changes before it. Gives the packages that differ
   * from before.
   */
  write(name: string, entry: LockEntry | null, refused?: readonly string[]): Promise<readonly string[]>;
  /**
   * Throws KIT_PLUGIN_INTEGRITY when anything of the tree is not what was accepted, or a linked
   * plugin comes from another directory. Call it before anything is imported.
   */
  verify(plugin: { readonly name: string; readonly root: string }): Promise<void>;
}

type Entries = Readonly<Record<string, LockEntry>>;

async function load<T>(path: string): Promise<T | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return 'null';
    throw error;
  });
  try {
    // written below; a hand edit can only make verification fail
    return JSON.parse(text) as T | null;
  } catch (cause) {
    throw new KitError('KIT_PLUGIN_INTEGRITY', `${path} is not readable as JSON`, {
      cause,
      hint: `Remove ${path} and install the plugins again.`,
    });
  }
}

async function save(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const next = `${path}.${process.pid}.tmp`;
  await writeFile(next, text);
  await rename(next, path);
}

/** The lock lies beside the installed plugins, in kit's data directory. */
export function createIntegrityLock(dataDir: string): IntegrityLock {
  const path = join(dataDir, 'kit-plugins.lock.json');
  const treePath = join(dataDir, 'kit-plugins.tree.json');
  const looksPath = join(dataDir, 'kit-plugins.looks');
  const modules = join(dataDir, 'node_modules');
  const entries = async (): Promise<Entries> => (await load<Entries>(path)) ?? {};
  const tree = async (): Promise<TreeLock> => (await load<TreeLock>(treePath)) ?? {};
  const read = async (name: string): Promise<LockEntry | null> => {
    const all = await entries();
    return Object.hasOwn(all, name) ? (all[name] ?? null) : null;
  };
  const changes = async () => treeChanges(modules, await tree());
  /** Nothing looks different from what was accepted as a whole; else each file is asked. */
  const isAsAccepted = async (): Promise<boolean> => {
    const accepted = await readFile(looksPath, 'utf8').catch(() => null);
    return accepted !== null && accepted === treeLooks(modules);
  };
  return {
    read,
    changes: async () => (await changes()).map(({ path: file, what }) => `${file} ${what}`),
    write: async (name, entry, refused = []) => {
      const { [name]: _old, ...rest } = await entries();
      const before = await tree();
      const looks = treeLooks(modules);
      const now = lockTree(modules);
      const files = refused.map((change) => change.replace(/ was (added|changed|removed)$/, ''));
      await save(path, `${JSON.stringify(entry === null ? rest : { ...rest, [name]: entry }, null, 2)}\n`);
      // The looks never speak for another tree than the one that is written.
      await rm(looksPath, { force: true });
      await save(treePath, `${JSON.stringify(keepRefused(now, before, files))}\n`);
      if (files.length === 0) await save(looksPath, looks);
      return changedPackages(before, now).filter((changed) => changed !== name);
    },
    verify: async ({ name, root }) => {
      const entry = await read(name);
      const hint = `Read what changed in ${root}, then accept it with \`kit plugins install\` or \`kit plugins link\` again.`;
      const refuse = (what: string): never => {
        throw new KitError('KIT_PLUGIN_INTEGRITY', what, { hint });
      };
      if (entry === null) return refuse(`${name} was never accepted on this machine`);
      const real = await realpath(root);
      if (entry.linked === real) return;
      if (entry.linked !== undefined || real !== (await realpath(join(modules, name)).catch(() => null)))
        return refuse(`${name} lies in another directory than the one that was accepted: ${root}`);
      if (await isAsAccepted()) return;
      const [first, ...others] = await changes();
      if (first === undefined) return;
      const more = others.length === 0 ? '' : `, and ${others.length} more`;
      return refuse(
        `the installed files are not those that were accepted, so ${name} is not loaded: ${join(modules, first.path)} ${first.what}${more}`,
      );
    },
  };
}
