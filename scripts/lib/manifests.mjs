// Writes oclif.manifest.json of the root and of every plugin: with it no command module is imported
// at start-up.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Plugin } from '@oclif/core';
import { digestOf, isFresh, remember } from './stamp.mjs';

/** The manifest as text; throws when a command module cannot be loaded. */
export async function manifestOf(directory) {
  const pjson = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
  const plugin = new Plugin({
    root: directory,
    pjson,
    isRoot: true,
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  });
  await plugin.load();
  // Found as the file system lists folders, and in no order that is the same twice.
  const commands = Object.fromEntries(Object.entries(plugin.manifest.commands).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ ...plugin.manifest, commands }, null, 2)}\n`;
}

async function writeManifest(root, directory, shared) {
  const inputs = `${shared}:${await digestOf(root, [`${directory}/package.json`, `${directory}/dist/commands`])}`;
  const output = `${directory}/oclif.manifest.json`;
  if (await isFresh(root, `manifest-${directory}`, inputs, output)) return true;
  try {
    await writeFile(join(root, output), await manifestOf(join(root, directory)));
  } catch (error) {
    console.error(`no manifest for ${directory}: ${error.detail ?? error.stack}`);
    return false;
  }
  return remember(root, `manifest-${directory}`, inputs);
}

export async function writeManifests(root, pluginNames) {
  // Commands are tried with the exports of this build: the folded ones are of the last.
  const { mapKitModules } = await import('../../dist/boot/module-map.js');
  mapKitModules(root.replace(/\/$/, ''));
  const shared = await digestOf(root, [
    'dist/cli',
    'dist/sdk',
    'node_modules/@oclif/core/package.json',
    'scripts/lib/manifests.mjs',
  ]);
  await writeFile(join(root, 'oclif.manifest.json'), await manifestOf(root));
  const written = await Promise.all(pluginNames.map((name) => writeManifest(root, `plugins/${name}`, shared)));
  return written.every(Boolean);
}
