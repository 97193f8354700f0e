// One run of the test runner with a report, in a scratch directory of its own.
import { readFile, rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { runNode } from './phases.mjs';
import { openScratch } from './scratch.mjs';

const SLOWEST = 10;

/** A phase. `report` is the file of the report below `root`; `args` go to the test runner. */
export const tests =
  (root, { report, args }) =>
  async () => {
    await rm(`${root}${report}`, { force: true });
    const scratch = await openScratch();
    try {
      return await runNode({
        cwd: root,
        args: [
          'node_modules/vitest/vitest.mjs',
          'run',
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${report}`,
          ...args,
        ],
        env: scratch.env,
        onStart: scratch.owns,
      });
    } finally {
      await scratch.close();
      await printSlowest(root, report);
    }
  };

async function printSlowest(root, report) {
  const text = await readFile(`${root}${report}`, 'utf8').catch(() => null);
  if (text === null) return;
  const files = JSON.parse(text).testResults.map(({ name, startTime, endTime }) => ({
    name: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }));
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  console.log(`the ${slowest.length} slowest of ${files.length} files, in seconds:`);
  for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)}  ${name}`);
}
