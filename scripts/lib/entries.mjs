// Where the program is entered from outside: what is folded under a name of its own, so that it is
// found. Every file lies one folder below dist/program, as the parts do.
import { glob, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Its start, its help, the exports that plugins import, and processes of its own. File below
 * dist/program -> module below dist.
 */
const OWN = {
  'boot/main': 'boot/main',
  'cli/kit-help': 'cli/kit-help',
  'doctor/crash-process': 'boot/doctor/crash-process',
  'plugin-check/contract-process': 'boot/plugin-check/contract-process',
  'plugin-check/manifest-process': 'boot/plugin-check/manifest-process',
  'plugin-check/map-exports': 'boot/plugin-check/map-exports',
  'plugin-check/probe-process': 'boot/plugin-check/probe-process',
  'sdk/plugin': 'sdk/plugin',
  'sdk/command': 'sdk/command',
  'sdk/testing': 'sdk/testing',
  'sdk/wire': 'sdk/wire',
};

/** What commands show text with: each file at the top of the room is an export. */
async function textExports(root) {
  const files = (await Array.fromAsync(glob('src/text/*.ts', { cwd: root }))).sort();
  return files.map((path) => `text/${basename(path, '.ts')}`);
}

/**
 * Modules of a plugin that are loaded by their path: its commands, and those that its manifest
 * names. Paths below its folder.
 */
async function enteredIn(folder) {
  const { kit = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const named = Object.values(kit.contributes ?? {}).flatMap((offered) => offered.map(({ module }) => module));
  const commands = await Array.fromAsync(glob('dist/commands/**/*.js', { cwd: folder }));
  return [...new Set([...named, ...commands].map((path) => path.replace(/^\.\//, '')))].sort();
}

/**
 * Under the name that src/boot/module-map.ts looks for: `plugins/run/dist/commands/run/index.js` is
 * `run/commands.run.index`.
 */
const fileOf = (plugin, path) =>
  `${plugin}/${path
    .replace(/^dist\//, '')
    .replace(/\.js$/, '')
    .replaceAll('/', '.')}`;

/** File below dist/program, without its ending -> the module's absolute path. */
export async function entriesOf(root) {
  const own = Object.entries(OWN).map(([file, module]) => [file, join(root, 'dist', `${module}.js`)]);
  const folders = (await Array.fromAsync(glob('plugins/*/package.json', { cwd: root }))).map(dirname).sort();
  const theirs = await Promise.all(
    folders.map(async (folder) =>
      (await enteredIn(join(root, folder))).map((path) => [fileOf(basename(folder), path), join(root, folder, path)]),
    ),
  );
  const texts = (await textExports(root)).map((name) => [name, join(root, 'dist', `${name}.js`)]);
  return new Map([...own, ...texts, ...theirs.flat()]);
}
