import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createProcesses } from '../../../src/system/processes/processes.js';
import { isRunning, shell, TestLease } from '../../support/processes.js';

const processes = createProcesses({ graceMs: 1_500, drainMs: 500 });

/** Nothing else of this process goes on meanwhile, as in one that a busy machine holds up. */
function standStillUntil(isTrue: () => boolean): void {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  while (!isTrue()) Atomics.wait(cell, 0, 0, 5);
}

/** Also its other threads, which hold its pipes open for a moment longer than the first. */
function hasGone(pid: number): boolean {
  return !isRunning(pid) && readdirSync(`/proc/${pid}/task`).length === 1;
}

describe.skipIf(!existsSync('/proc/self/stat'))('the last word of a supervisor', () => {
  const held = async (said: (lease: TestLease, stop: AbortController) => void) => {
    const lease = new TestLease();
    const stop = new AbortController();
    const child = processes.spawn(shell('echo $PPID; sleep 0.3; exit 3'), lease, stop.signal);
    for await (const line of child.lines) {
      standStillUntil(() => hasGone(Number(line)));
      said(lease, stop);
    }
    return child.done;
  };

  it('is heard by a worker that renews a lease before it read that the supervisor went', async () => {
    expect(await held((lease) => lease.renew(60_000))).toMatchObject({ exitCode: 3, signal: null, ended: null });
  });

  it('is heard by a worker that aborts before it read that the supervisor went', async () => {
    expect(await held((_lease, stop) => stop.abort())).toMatchObject({ exitCode: 3, signal: null });
  });
});
