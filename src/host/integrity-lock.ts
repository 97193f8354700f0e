import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KitError } from '../domain/errors.js';
import { packageDigest } from './package-files.js';

/** What was accepted at install. */
export interface LockEntry {
  readonly version: string;
  /** SHA-512 (hex) over the package's files. */
  readonly sha512: string;
  readonly effects: readonly string[];
  readonly commands: readonly string[];
}

/** The accepted plugins of one user, by package name. */
export interface IntegrityLock {
  read(name: string): Promise<LockEntry | null>;
  write(name: string, entry: LockEntry | null): Promise<void>;
  /**
   * Throws KIT_PLUGIN_INTEGRITY when the files are not those that were accepted. Call it before
   * anything is imported.
   */
  verify(plugin: { readonly name: string; readonly root: string }): Promise<void>;
}

type Entries = Readonly<Record<string, LockEntry>>;

async function load(path: string): Promise<Entries> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    // written below; a hand edit can only make verification fail
    return JSON.parse(text) as Entries;
  } catch (cause) {
    throw new KitError('KIT_PLUGIN_INTEGRITY', `${path} is not readable as JSON`, {
      cause,
      hint: `Remove ${path} and install the plugins again.`,
    });
  }
}

/** The lock lies beside the installed plugins, in kit's data directory. */
export function createIntegrityLock(dataDir: string): IntegrityLock {
  const path = join(dataDir, 'kit-plugins.lock.json');
  const read = async (name: string): Promise<LockEntry | null> => (await load(path))[name] ?? null;
  return {
    read,
    write: async (name, entry) => {
      const { [name]: _old, ...rest } = await load(path);
      await mkdir(dirname(path), { recursive: true });
      const next = `${path}.${process.pid}.tmp`;
      await writeFile(next, `${JSON.stringify(entry === null ? rest : { ...rest, [name]: entry }, null, 2)}\n`);
      await rename(next, path);
    },
    verify: async ({ name, root }) => {
      const entry = await read(name);
      const hint = `Read what changed in ${root}, then accept it with \`kit plugins install\` or \`kit plugins link\` again.`;
      if (entry === null)
        throw new KitError('KIT_PLUGIN_INTEGRITY', `${name} was never accepted on this machine`, { hint });
      if ((await packageDigest(root)) !== entry.sha512)
        throw new KitError('KIT_PLUGIN_INTEGRITY', `the files of ${name} are not those that were accepted`, { hint });
    },
  };
}
