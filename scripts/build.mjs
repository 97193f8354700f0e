// The one build: types from schemas, root dist, plugins' dist, a manifest per plugin. Each phase
// skips what is up to date. Plugins are found by pattern: every plugins/*/package.json.
import { existsSync } from 'node:fs';
import { glob, readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './lib/build-console.mjs';
import { linkSelf } from './lib/link-self.mjs';
import { writeManifests } from './lib/manifests.mjs';
import { node, runPhases } from './lib/phases.mjs';
import { removeStale } from './lib/remove-stale.mjs';
import { digestOf, isFresh, remember } from './lib/stamp.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const pluginNames = (await Array.fromAsync(glob('plugins/*/package.json', { cwd: root })))
  .map((file) => basename(dirname(file)))
  .sort();

/**
 * Add a step by writing its output from scripts/generate.mjs; helpers of it lie in
 * scripts/generate/.
 */
async function generate() {
  const inputs = await digestOf(root, [
    'schemas',
    'src/store/sqlite/migrations',
    'src/remote/generated',
    ...pluginNames.flatMap((name) => ['adapters', 'schemas', 'package.json'].map((path) => `plugins/${name}/${path}`)),
    'catalogue',
    'scripts/generate.mjs',
    'scripts/generate',
    // Of the price library, names of models.
    'package-lock.json',
  ]);
  if (await isFresh(root, 'generate', inputs, 'src/store/sqlite/generated/schema.ts')) return true;
  return (await node(root, 'scripts/generate.mjs')()) && (await remember(root, 'generate', inputs));
}

const projects = ['tsconfig.json', ...pluginNames.map((name) => `plugins/${name}/tsconfig.json`)].filter((file) =>
  existsSync(`${root}${file}`),
);

const compile = node(root, 'node_modules/typescript-native/bin/tsc', '-b', ...projects);
let isCompiled = false;

/** Where the build writes besides the compiler. */
const MADE = new Set(['program', '.stamps', '.npmignore']);

async function bundle() {
  const inputs = async () => {
    const rooms = (await readdir(`${root}dist`)).filter((name) => !MADE.has(name)).sort();
    return digestOf(root, [
      ...rooms.map((name) => `dist/${name}`),
      ...pluginNames.flatMap((name) => [`plugins/${name}/dist`, `plugins/${name}/package.json`]),
      'package.json',
      'package-lock.json',
      'scripts/bundle.mjs',
      'scripts/lib',
      'templates/hello',
      'templates/support-triage',
    ]);
  };
  if (await isFresh(root, 'bundle', await inputs(), 'NOTICE')) return true;
  // Some of what is folded lies among its inputs.
  return (await node(root, 'scripts/bundle.mjs')()) && (await remember(root, 'bundle', await inputs()));
}

/** What the pages of the console are made of: their own files, and the export that they import. */
const PAGES = ['plugins/console/web', 'src/sdk/view.ts', 'src/view', 'src/lib', 'src/domain'];

/** The pages of the console. */
async function pages() {
  const inputs = await digestOf(root, [...PAGES, 'scripts/lib/build-console.mjs', 'package-lock.json']);
  if (await isFresh(root, 'console', inputs, 'plugins/console/dist/web-modules.json')) return true;
  return (await buildConsole(root)) && (await remember(root, 'console', inputs));
}

const failed = await runPhases({
  'build:link': () => linkSelf(root),
  'build:generate': generate,
  'build:compile': async () => {
    await removeStale(root, ['.', ...pluginNames.map((name) => `plugins/${name}`)]);
    isCompiled = await compile();
    return isCompiled;
  },
  'build:console': pages,
  // A manifest of half a build would count as fresh until the commands change.
  'build:manifests': () => isCompiled && writeManifests(root, pluginNames),
  // By the manifests it finds the commands that it tries.
  'build:bundle': bundle,
});
process.exitCode = failed.length === 0 ? 0 : 1;
