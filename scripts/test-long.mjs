// Tests of many processes of the built program, and the long shares: processes killed at fault
// points, chaos, enumerations, races, mutated inputs and code, coverage. `.ci/run` runs them after
// `npm test`. Arguments go to the test runner.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runPhases } from './lib/phases.mjs';
import { tests } from './lib/run-tests.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = ['--project=processes', '--project=long', ...process.argv.slice(2)];
const failed = await runPhases({ 'long tests': tests(root, { report: '.test-long-report.json', args }) });
await writeFile(`${root}.test-long-phases.json`, JSON.stringify({ failed }));
process.exitCode = failed.length === 0 ? 0 : 1;
