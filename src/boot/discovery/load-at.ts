import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Plugin } from '@oclif/core/config';
import type { PJSON } from '@oclif/core/interfaces';

/** package.json of a plugin with the keys that kit reads. */
export type PluginPjson = PJSON & { readonly kit?: unknown };

/** Reads a package.json. Throws what the file system or JSON says. */
export async function readPjson(root: string): Promise<PluginPjson> {
  const value: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  if (typeof value !== 'object' || value === null || !('name' in value && 'version' in value))
    throw new Error(`${root}/package.json has no name and version`);
  return value as PluginPjson; // the rest is checked where it is used
}

/**
 * With `isRoot` and a given package.json oclif searches nothing on disk: the root is known. Imports
 * nothing when there is a manifest.
 */
export async function loadAt(root: string, pjson: PluginPjson, type: 'core' | 'user' | 'link'): Promise<Plugin> {
  const plugin = new Plugin({ root, pjson, isRoot: true, name: pjson.name, type });
  await plugin.load();
  plugin.isRoot = false;
  return plugin;
}
