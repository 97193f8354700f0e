import { lstat, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { GATE_FOLDER } from '../../domain/harness-gateway.js';

/** A folder without a socket is one whose process died, or is still about to open it. */
const UNOPENED_AGE_MS = 60 * 60_000;
/** A socket that is about to be listened at answers as one that nobody listens at any more. */
const OPENING_MS = 60_000;
/** More of them are left to the next sweep. */
const MOST_AT_ONCE = 1000;

/**
 * Removes the folders in which a process listened to its harnesses and that died before it could
 * do so itself: nobody answers at their socket any more. Answers their paths.
 */
export async function sweepGates(tempRoot: string): Promise<readonly string[]> {
  const names = (await readdir(tempRoot)).filter((name) => name.startsWith(GATE_FOLDER)).slice(0, MOST_AT_ONCE);
  const removed: string[] = [];
  for (const name of names) {
    const folder = join(tempRoot, name);
    if (!(await isLeft(folder))) continue;
    await rm(folder, { recursive: true, force: true });
    removed.push(folder);
  }
  return removed;
}

/** The folder for temporary files is everybody's: only a real directory of this user is touched. */
async function isLeft(folder: string): Promise<boolean> {
  const info = await lstat(folder).catch(() => null);
  if (info?.isDirectory() !== true || info.uid !== process.getuid?.()) return false;
  const answer = await knock(join(folder, 's'));
  const ageMs = Date.now() - info.mtimeMs;
  return (answer === 'nobody' && ageMs > OPENING_MS) || (answer === 'no-socket' && ageMs > UNOPENED_AGE_MS);
}

function knock(path: string): Promise<'somebody' | 'nobody' | 'no-socket'> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve('somebody');
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // Anything else says nothing of whether somebody is there.
      if (error.code === 'ECONNREFUSED') resolve('nobody');
      else resolve(error.code === 'ENOENT' ? 'no-socket' : 'somebody');
    });
  });
}
