// Runs tests many times beside two busy loops: `npm run stress -- [--times N] [FILE...]`. Without
// files those that ever failed where a machine was slow or did something else at the same time
// (scripts/lib/stressed-files.json). Prints what failed, why, and in how many rounds; exit code 1
// when anything did, 2 when a round ran nothing.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { runNode } from './lib/phases.mjs';
import { openScratch } from './lib/scratch.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const BUSY_LOOPS = 2;
const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '30' } },
  allowPositionals: true,
});
const times = Number(values.times);
if (!Number.isInteger(times) || times < 1)
  throw new Error(`--times ${values.times} is not a count; example: --times 30`);
const listed = JSON.parse(await readFile(new URL('./lib/stressed-files.json', import.meta.url), 'utf8'));
const gone = listed.filter((file) => !existsSync(join(root, file)));
if (gone.length > 0) throw new Error(`scripts/lib/stressed-files.json names what is not there: ${gone.join(', ')}`);
const files = positionals.length > 0 ? positionals : listed;

const MOST_LINES_OF_A_REASON = 8;
const reasonOf = (message) => (message ?? '').split('\n', MOST_LINES_OF_A_REASON).join('\n');

/** The tests that failed and why; a file that cannot be loaded stands for its tests. */
const failedIn = ({ testResults }) =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.slice(root.length);
    const failed = assertionResults
      .filter((one) => one.status === 'failed')
      .map((one) => ({ name: `${file}: ${one.fullName}`, reason: reasonOf(one.failureMessages[0]) }));
    return failed.length === 0 && status === 'failed' ? [{ name: file, reason: reasonOf(message) }] : failed;
  });

/** Null = the runner gave no report. */
async function round(scratch) {
  const report = join(scratch.directory, 'stress.json');
  const said = [];
  await runNode({
    cwd: root,
    args: ['node_modules/vitest/vitest.mjs', 'run', ...files, '--reporter=json', `--outputFile.json=${report}`],
    env: scratch.env,
    sink: { stdio: 'pipe', write: (text) => said.push(text) },
    onStart: scratch.owns,
  });
  return readFile(report, 'utf8').then(JSON.parse, () => {
    console.error(said.join(''));
    return null;
  });
}

async function rounds() {
  const failures = new Map();
  for (let nth = 1; nth <= times; nth += 1) {
    // A round finds nothing that another one has left.
    const scratch = await openScratch();
    let report;
    try {
      report = await round(scratch);
    } finally {
      await scratch.close();
    }
    if (report === null || report.numTotalTests === 0) throw new Error(`round ${nth} ran no test`);
    const failed = failedIn(report);
    console.log(`round ${nth} of ${times}: ${report.numPassedTests} passed, ${failed.length} failed`);
    for (const { name, reason } of failed) {
      failures.set(name, (failures.get(name) ?? 0) + 1);
      console.log(`${name}\n${reason}`);
    }
  }
  return failures;
}

// They end with this process, however it ends.
const loops = Array.from({ length: BUSY_LOOPS }, () => new Worker('for (;;);', { eval: true }));
const failures = await rounds().catch((error) => {
  console.error(error.message);
  return null;
});
await Promise.all(loops.map((loop) => loop.terminate()));
for (const [name, count] of failures ?? []) console.log(`${count} of ${times}: ${name}`);
if (failures !== null) console.log(`${files.length} files, ${times} times: ${failures.size} tests failed`);
process.exitCode = failures === null ? 2 : Math.min(failures.size, 1);
