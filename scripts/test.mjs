// The one test command: build, format and lint, types, import rules, dead code, tests. A failed
// phase does not hide the next. Tests of many processes and the long shares are
// `npm run test:long`.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { node, runPhases, runPhasesAtOnce } from './lib/phases.mjs';
import { tests } from './lib/run-tests.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const tool = (path, ...args) => node(root, `node_modules/${path}`, ...args);
const args = process.argv.slice(2);
/** Who names files gets them, whichever run they belong to. */
const isNamed = args.some((arg) => /^(test|plugins)\//.test(arg));
/** A change is tried on everything that it reaches but the longest. */
const isChanged = args.some((arg) => arg.startsWith('--changed'));
const usual = isNamed
  ? []
  : ['pure', 'rooms', 'world', 'alone', ...(isChanged ? ['processes'] : [])].map((name) => `--project=${name}`);

const failed = [
  ...(await runPhases({ build: node(root, 'scripts/build.mjs') })),
  ...(await runPhasesAtOnce(
    {
      // It takes longest: begun last it would be alone.
      lint: node(root, 'scripts/lint.mjs'),
      // Of src the declarations of the build, which has judged it.
      types: tool(
        'typescript-native/bin/tsc',
        '--noEmit',
        '-p',
        'tsconfig.types.json',
        '--incremental',
        '--tsBuildInfoFile',
        'node_modules/.cache/tests.tsbuildinfo',
      ),
      // What runs in a browser has other globals.
      'types of the console': tool('typescript-native/bin/tsc', '-p', 'plugins/console/web/tsconfig.json'),
      imports: tool(
        'dependency-cruiser/bin/dependency-cruiser.mjs',
        '--config',
        '.dependency-cruiser.mjs',
        'src',
        'plugins',
        'bin',
        'test',
        'scripts',
      ),
      'dead code': tool('knip/bin/knip.js'),
    },
    2,
  )),
  ...(await runPhases({ tests: tests(root, { report: '.test-report.json', args: [...usual, ...args] }) })),
];
await writeFile(`${root}.test-phases.json`, JSON.stringify({ failed }));
if (failed.length > 0) console.error(`failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
