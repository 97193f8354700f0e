// The one test command: build, format and lint, types, import rules, dead code, tests. A failed phase does not hide the next.
import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { node, runPhases } from './lib/phases.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const tool = (path, ...args) => node(root, `node_modules/${path}`, ...args);

await rm(new URL('../.test-report.json', import.meta.url), { force: true });
const failed = await runPhases({
  build: node(root, 'scripts/build.mjs'),
  lint: tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--diagnostic-level=warn'),
  types: tool(
    'typescript/bin/tsc',
    '--noEmit',
    '-p',
    'tsconfig.test.json',
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.cache/tests.tsbuildinfo',
  ),
  imports: tool('dependency-cruiser/bin/dependency-cruiser.mjs', '--config', '.dependency-cruiser.mjs', 'src', 'plugins', 'bin'),
  'dead code': tool('knip/bin/knip.js'),
  tests: tool('vitest/vitest.mjs', 'run', ...process.argv.slice(2)),
});
await writeFile(new URL('../.test-phases.json', import.meta.url), JSON.stringify({ failed }));
if (failed.length > 0) console.error(`failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
