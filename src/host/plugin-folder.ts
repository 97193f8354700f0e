import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError, messageOf } from '../domain/errors.js';
import { type ForeignPjson, readForeignPjson } from './package-facts.js';

/** What a folder that is not a plugin is refused with. */
type Refusal = 'KIT_USAGE' | 'KIT_PLUGIN_LOAD_FAILED';

export const notPlugin = (root: string, why: string, code: Refusal): KitError =>
  new KitError(code, `${root} is not a plugin: ${why}`, {
    hint: 'Give the directory whose package.json has a `kit` key, or begin one with `kit plugins new executors`.',
  });

/** The package.json of a folder that somebody named. Throws `code` for a folder that has none. */
export async function openPackageFolder(root: string, code: Refusal): Promise<ForeignPjson> {
  if (!(await stat(root).catch(() => null))?.isDirectory()) throw notPlugin(root, 'there is no such directory', code);
  if ((await stat(join(root, 'package.json')).catch(() => null)) === null)
    throw notPlugin(root, 'it has no package.json', code);
  return readForeignPjson(root).catch((error: unknown) => {
    throw notPlugin(root, messageOf(error), code);
  });
}
