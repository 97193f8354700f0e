import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Mutation, mutated } from './candidates.js';

/** What became of a mutation. Only `survived` says that no test sees it. */
export type Outcome =
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'hung' }
  | { readonly kind: 'survived'; readonly tests: number };

interface Report {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Folders of tests whose room starts no process: others of the project do. */
const PURE_TESTS = ['lib', 'domain', 'govern', 'compile', 'view'];
/**
 * Rooms whose tests speak for a room. The vocabulary has one test of its own: it is tested by those
 * that use it.
 */
const roomsThatTest = (file: string): readonly string[] => {
  const room = file.split('/')[1] ?? '';
  return room === 'domain' ? PURE_TESTS : [room];
};

/**
 * Makes the mutation in `copy`, a directory that `copyCheckout` gave, runs the tests of its room
 * that reach the file until one fails, and takes it back. `timeoutMs`: after that it hangs. Throws
 * when the test runner itself does not work: that is not a kill.
 */
export async function tryMutation(copy: string, mutation: Mutation, timeoutMs: number): Promise<Outcome> {
  const path = join(copy, mutation.file);
  const text = await readFile(path, 'utf8');
  await writeFile(path, mutated(text, mutation));
  try {
    return await runTests(copy, mutation.file, timeoutMs);
  } finally {
    await writeFile(path, text);
  }
}

async function runTests(copy: string, file: string, timeoutMs: number): Promise<Outcome> {
  const reportPath = join(copy, '.test-mutation-report.json');
  await rm(reportPath, { force: true });
  const others = roomsThatTest(file).join('|');
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'related',
      file,
      '--run',
      '--project=pure',
      `--exclude=test/!(${others})/**`,
      '--bail=1',
      '--maxWorkers=1',
      '--reporter=json',
      `--outputFile.json=${reportPath}`,
    ],
    // A group of its own: a worker in an endless loop does not hear that its parent ended.
    { cwd: copy, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, timeoutMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(late);
  if (isLate) return { kind: 'hung' };
  const report = await readFile(reportPath, 'utf8').then(JSON.parse, () => null);
  return outcomeOf(code, report, said.join(''));
}

/** `report`: null = none was written. */
function outcomeOf(code: number | null, report: Report | null, said: string): Outcome {
  if (code === 0) return { kind: 'survived', tests: report?.numTotalTests ?? 0 };
  if (report === null) throw new Error(`the test runner gave no report, exit code ${code}: ${said}`);
  const failed = report.testResults.find(({ status }) => status === 'failed');
  if (failed === undefined) throw new Error(`the test runner failed without a failed test: ${said}`);
  const test = failed.assertionResults.find(({ status }) => status === 'failed');
  return { kind: 'killed', by: test?.fullName ?? failed.name };
}
