import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sweepGates } from '../../../src/system/worktrees/sweep-gates.js';

let temp: string;
beforeEach(() => {
  temp = realpathSync(mkdtempSync(join(tmpdir(), 'kit-sweep-')));
});
afterEach(() => rmSync(temp, { recursive: true, force: true }));

function folder(name: string, ageMs: number): string {
  const path = join(temp, name);
  mkdirSync(path, { mode: 0o700 });
  const then = (Date.now() - ageMs) / 1000;
  utimesSync(path, then, then);
  return path;
}

/** A process listened there and was killed: its socket stays. */
function killed(path: string): void {
  const listens = `require('node:net').createServer().listen(${JSON.stringify(join(path, 's'))}, () => process.kill(process.pid, 'SIGKILL'))`;
  try {
    execFileSync(process.execPath, ['-e', listens], { stdio: 'ignore' });
  } catch {
    // It was killed.
  }
}

it('removes the folder of a process that was killed, and of none that listens or may still open', async () => {
  const dead = folder('kit-gate-dead01', 0);
  killed(dead);
  writeFileSync(join(dead, 'hook.json'), '{"token":"secret"}');
  const old = (Date.now() - 120_000) / 1000;
  utimesSync(dead, old, old);
  const fresh = folder('kit-gate-fresh1', 0);
  killed(fresh);
  const unopened = folder('kit-gate-empty1', 120_000);
  const forgotten = folder('kit-gate-empty2', 2 * 3_600_000);
  const other = folder('other-gate', 2 * 3_600_000);
  const open = folder('kit-gate-open01', 0);
  const server = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(join(open, 's'), resolve));
  utimesSync(open, old, old);

  expect((await sweepGates(temp)).toSorted()).toEqual([dead, forgotten].toSorted());
  expect([dead, forgotten, fresh, unopened, other, open].map((path) => existsSync(path))).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
  ]);
  await new Promise((resolve) => server.close(resolve));
});
