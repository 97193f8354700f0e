// Upgrades of kit in earnest: packs this checkout as several versions, serves them by a registry on
// 127.0.0.1, installs the first with each package manager, and drives `kit upgrade` of it. Not a
// part of `npm test`; needs npm, the registry of npm for everything that is not kit, and minutes.
//   npm run upgrades                   all of them
//   npm run upgrades -- npm-local npx  some of them
// KIT_UPGRADES_CACHE: the folder of package managers; default $XDG_CACHE_HOME/kit-upgrades.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drive } from './lib/upgrades/drive.mjs';
import { KINDS } from './lib/upgrades/kinds.mjs';
import { packVersions } from './lib/upgrades/pack-versions.mjs';
import { startRegistry } from './lib/upgrades/registry.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !KINDS.some((kind) => kind.name === name));
if (unknown !== undefined) {
  console.error(`no kind of installation is called ${unknown}: ${KINDS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const base = realpathSync(mkdtempSync(join(tmpdir(), 'kit-upgrades-')));
const registry = await startRegistry(packVersions(root, base));
let failed = 0;
try {
  for (const kind of KINDS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const problems = await drive(kind, { root, base, registry: registry.url });
    failed += problems.length === 0 ? 0 : 1;
    console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'}  ${kind.name}`);
    for (const problem of problems) console.log(`        ${problem.replaceAll('\n', '\n          ')}`);
  }
} finally {
  registry.close();
  rmSync(base, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
