// Tests of many processes of the built program, and the long shares: processes killed at fault
// points, chaos, enumerations, races, mutated inputs and code, coverage. `.ci/run` runs them after
// `npm test`. Arguments go to the test runner.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runPhases } from './lib/phases.mjs';
import { tests } from './lib/run-tests.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
/** What is named may lie in one of the two shares alone. */
const named = args.length === 0 ? [] : ['--passWithNoTests', ...args];
const share = (report, ...projects) =>
  // Each file starts processes and waits for them: four at once keep two processors busy.
  tests(root, { report, args: ['--maxWorkers=4', ...projects.map((name) => `--project=${name}`), ...named] });
const failed = await runPhases({
  'long tests': share('.test-long-report.json', 'processes', 'long'),
  // By themselves: they keep both processors busy.
  'measuring tests': share('.test-measures-report.json', 'measures'),
});
for (const [name, phase] of [
  ['long', 'long tests'],
  ['measures', 'measuring tests'],
])
  await writeFile(
    `${root}.test-${name}-phases.json`,
    JSON.stringify({ failed: failed.filter((one) => one === phase) }),
  );
process.exitCode = failed.length === 0 ? 0 : 1;
