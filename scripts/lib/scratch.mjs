// A private directory for everything that a test run writes outside the checkout, in memory where
// there is room: what is tested there is killed processes, never a machine that lost its power.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TMPFS = 0x01021994;
const LEAST_FREE_BYTES = 2 * 1024 ** 3;
const GUARD = fileURLToPath(new URL('./scratch-guard.mjs', import.meta.url));

async function hasRoomInMemory(directory) {
  const system = await statfs(directory).catch(() => null);
  return system !== null && system.type === TMPFS && system.bavail * system.bsize >= LEAST_FREE_BYTES;
}

async function parentOfScratch() {
  for (const candidate of [tmpdir(), '/dev/shm']) if (await hasRoomInMemory(candidate)) return candidate;
  return tmpdir();
}

/**
 * Opens it. `env` makes it the TMPDIR of a process, and tells a test that wants a disk where the
 * machine keeps temporary files. `owns` names a process that must end before the directory goes.
 * It goes with `close`, and when this process dies, however it dies.
 */
export async function openScratch() {
  const directory = await mkdtemp(join(await parentOfScratch(), 'kit-test-'));
  // The account of the database server passes through.
  await chmod(directory, 0o711);
  const guard = spawn(process.execPath, [GUARD, directory], { detached: true, stdio: ['pipe', 'ignore', 'inherit'] });
  guard.stdin.on('error', () => {});
  const ended = once(guard, 'exit');
  return {
    directory,
    env: { ...process.env, TMPDIR: directory, KIT_TEST_DISK: tmpdir() },
    owns: (child) => guard.stdin.write(`${child.pid}\n`),
    async close() {
      guard.stdin.end();
      await ended;
    },
  };
}
