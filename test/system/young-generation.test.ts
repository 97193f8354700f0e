import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { HeapUser } from '../../src/system/young-generation.js';

const PROGRAM = fileURLToPath(new URL('../support/burst-process.mjs', import.meta.url));
const START = fileURLToPath(new URL('../support/start-process.mjs', import.meta.url));

interface Most {
  readonly young: number;
  readonly old: number;
}

async function burst(how: HeapUser | 'free'): Promise<Most> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, how]);
  return JSON.parse(stdout) as Most;
}

it('bounds what a burst takes of the heap beside what lives', { timeout: 120_000 }, async () => {
  const [bounded, server, free] = await Promise.all([burst('runs'), burst('server'), burst('free')]);
  expect(bounded.young).toBeLessThanOrEqual(32);
  expect(bounded.young).toBeGreaterThan(16);
  // Of a collection that finds no room it holds a page more.
  expect(server.young).toBeLessThan(24);
  expect(free.young).toBeGreaterThan(32);
  expect(bounded.old).toBeLessThan(0.75 * free.old);
  expect(server.old).toBeLessThan(0.9 * bounded.old);
});

describe('a start that is held', () => {
  const start = async (...flags: readonly string[]): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--allow-natives-syntax', ...flags, START]);
    return JSON.parse(stdout);
  };

  it('optimizes nothing, and everything after it', async () => {
    expect(await start()).toEqual({ held: false, after: true });
  });

  it('survives where V8 makes no machine code', async () => {
    expect(await start('--jitless')).toEqual({ held: false, after: false });
  });
});
