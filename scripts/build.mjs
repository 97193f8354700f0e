// The one build: types from schemas, root dist, plugins' dist, a manifest per plugin. Each phase skips what is up to date.
// Plugins are found by pattern: every plugins/*/package.json.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeManifests } from './lib/manifests.mjs';
import { digestOf, isFresh, remember } from './lib/stamp.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const node = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
const pluginNames = (await Array.fromAsync(glob('plugins/*/package.json', { cwd: root }))).map((file) => basename(dirname(file))).sort();

async function generate() {
  const inputs = await digestOf(root, ['schemas', 'scripts/generate.mjs', 'scripts/generate']);
  if (await isFresh(root, 'generate', inputs, 'src/domain/generated/events.ts')) return true;
  return node('scripts/generate.mjs') && (await remember(root, 'generate', inputs));
}

const projects = ['tsconfig.json', ...pluginNames.map((name) => `plugins/${name}/tsconfig.json`)].filter((file) => existsSync(`${root}${file}`));
const compile = () => node('node_modules/typescript/bin/tsc', '-b', ...projects);
const manifests = () => writeManifests(root, pluginNames);

let isGood = true;
for (const [name, phase] of Object.entries({ generate, compile, manifests })) {
  const startedMs = performance.now();
  const ok = await phase();
  isGood = ok && isGood;
  console.log(`${ok ? 'ok  ' : 'FAIL'} build:${name} ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}
process.exitCode = isGood ? 0 : 1;
