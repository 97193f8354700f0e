import { expect, it } from 'vitest';
import { createProcesses } from '../../../src/system/processes/processes.js';
import { collect, shell, TestLease } from '../../support/processes.js';

const processes = createProcesses({ graceMs: 1_500, drainMs: 500 });
const run = (script: string) =>
  collect(processes.spawn(shell(script, { maxOutputBytes: 1_000 }), new TestLease(), new AbortController().signal));

it('ends a process that writes too much to stderr', { timeout: 10_000 }, async () => {
  const { lines, result } = await run('echo one; sleep 0.2; yes >&2');
  expect(lines).toEqual(['one']);
  expect(result.ended).toBe('output_too_large');
});

it('counts both streams together', async () => {
  const { result } = await run('printf %0600d 0; printf %0600d 0 >&2');
  expect(result.ended).toBe('output_too_large');
});
