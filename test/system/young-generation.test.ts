import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../support/burst-process.mjs', import.meta.url));

interface Most {
  readonly young: number;
  readonly old: number;
}

async function burst(how: 'bounded' | 'free'): Promise<Most> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, how]);
  return JSON.parse(stdout) as Most;
}

it('bounds what a burst takes of the heap beside what lives', { timeout: 120_000 }, async () => {
  const [bounded, free] = await Promise.all([burst('bounded'), burst('free')]);
  expect(bounded.young).toBeLessThanOrEqual(32);
  expect(free.young).toBeGreaterThan(32);
  expect(bounded.old).toBeLessThan(0.75 * free.old);
});
