import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One entry of the user's list of plugins, as plugin-plugins writes it. */
export interface UserPlugin {
  readonly name: string;
  readonly type: 'user' | 'link';
  readonly root: string;
  /** What npm was asked for; the directory of a linked one. */
  readonly source: string;
}

interface Listed {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly root?: unknown;
  readonly url?: unknown;
  readonly tag?: unknown;
}

function userPluginOf(dataDir: string, { name, type, root, url, tag }: Listed): readonly UserPlugin[] {
  if (typeof name !== 'string') return [];
  if (type === 'link' && typeof root === 'string') return [{ name, type, root, source: root }];
  const source = typeof url === 'string' ? url : `${name}@${typeof tag === 'string' ? tag : 'latest'}`;
  return [{ name, type: 'user', root: join(dataDir, 'node_modules', name), source }];
}

/** The plugins that this user installed or linked. A missing list is an empty one. */
export async function readUserPlugins(dataDir: string): Promise<readonly UserPlugin[]> {
  const text = await readFile(join(dataDir, 'package.json'), 'utf8').catch(() => null);
  if (text === null) return [];
  // written by plugin-plugins
  const { oclif } = JSON.parse(text) as { readonly oclif?: { readonly plugins?: readonly (string | Listed)[] } };
  return (oclif?.plugins ?? []).flatMap((entry) =>
    userPluginOf(dataDir, typeof entry === 'string' ? { name: entry } : entry),
  );
}
