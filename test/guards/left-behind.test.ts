import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../bench/support/left-process.mjs', import.meta.url));

/** What is still in its work when the young part is collected, and what is kept of some runs. */
const MOST_BYTES = 10_000;

/**
 * Bytes a run that collections of the young part moved to the old one. `promoted` is in the line
 * that V8 writes for each of them.
 */
async function moved(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'kit-left-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const { stdout } = await promisify(execFile)(process.execPath, ['--trace-gc-nvp', PROGRAM, directory]);
  const [, told = '', runs = ''] = /\nbegin\n([\s\S]*)\nend (\d+)\n/.exec(stdout) ?? [];
  const bytes = told
    .split('\n')
    .filter((line) => line.includes(' gc=s '))
    .map((line) => Number(/ promoted=(\d+) /.exec(line)?.[1]));
  expect(bytes.length).toBeGreaterThan(5);
  return bytes.reduce((sum, each) => sum + each, 0) / Number(runs);
}

it('is little of a run that has ended, until everything is collected', { timeout: 120_000 }, async () => {
  // What the young part cannot let go of, an object literal with a getter for one: V8 keeps a
  // hidden class of its own for it, and with it all that the getter closes over.
  const bytes = await moved();
  console.log(`bytes moved to the old part of the heap, a run: ${Math.round(bytes)}`);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});
