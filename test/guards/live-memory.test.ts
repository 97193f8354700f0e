import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { LIVE_BYTES_PER_RUN } from './run-costs.js';

const PROGRAM = fileURLToPath(new URL('../bench/support/live-process.mjs', import.meta.url));

const directories: string[] = [];
afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
});

/** A process of its own, which looks until nothing changes any more. */
async function measured(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'kit-live-'));
  directories.push(directory);
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', PROGRAM, directory]);
  const { liveBytesPerRun } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { liveBytesPerRun: number };
  console.log(`live bytes a run: ${Math.round(liveBytesPerRun)}`);
  return liveBytesPerRun;
}

it('is held by a run in the midst of a chain of ten, after a collection', { timeout: 120_000 }, async () => {
  const live = await measured();
  expect(live).toBeLessThanOrEqual(1.03 * LIVE_BYTES_PER_RUN);
  // One that has become so much leaner lowers the figure.
  expect(live).toBeGreaterThanOrEqual(0.95 * LIVE_BYTES_PER_RUN);
});
