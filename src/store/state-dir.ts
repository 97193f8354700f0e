import { chmod, mkdir, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ErrorCode } from '../domain/error-registry.js';
import { KitError, messageOf } from '../domain/errors.js';

const PRIVATE_MODE = 0o700;

/**
 * `f_type` of file systems that lie on another machine (linux/magic.h, statfs(2)). SQLite's locks
 * and its shared memory do not hold there, so a second process would corrupt the store.
 */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x564c, 'NCP'],
  [0x73757245, 'Coda'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
]);

/**
 * Name of the network file system that `type` (as statfs reports it, maybe sign-extended) stands
 * for; null when local.
 */
export function networkFileSystem(type: number): string | null {
  return NETWORK_FILE_SYSTEMS.get(type >>> 0) ?? null;
}

/** Type of the file system at a path; a dependency so that a test need not mount one. */
export type FileSystemTypeOf = (path: string) => Promise<number>;

export const fileSystemTypeOf: FileSystemTypeOf = async (path) => (await statfs(path)).type;

/**
 * Makes the state directory private and invisible to git. Throws KIT_STORE_UNAVAILABLE before
 * anything is written where no store can live.
 */
export async function prepareStateDir(stateDir: string, typeOf: FileSystemTypeOf = fileSystemTypeOf): Promise<void> {
  const network = networkFileSystem(await typeOf(await nearestExisting(stateDir)));
  if (network !== null) {
    throw new KitError(
      'KIT_STORE_UNAVAILABLE',
      `the state directory ${stateDir} lies on a network file system (${network}), where SQLite loses data`,
      {
        hint: 'Set KIT_STATE_DIR to a directory on a local disk, or use the postgres backend (storage.runtime).',
        data: { stateDir, fileSystem: network },
      },
    );
  }
  try {
    await mkdir(stateDir, { recursive: true, mode: PRIVATE_MODE });
    if (((await stat(stateDir)).mode & 0o077) !== 0) await chmod(stateDir, PRIVATE_MODE);
    await writeFile(`${stateDir}/.gitignore`, '*\n', { flag: 'wx' }).catch(ignoreExisting);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw new KitError(
      SYSTEM_CODES.get(code) ?? 'KIT_STORE_UNAVAILABLE',
      `the state directory ${stateDir} cannot be used: ${messageOf(cause)}`,
      {
        ...(SYSTEM_CODES.has(code) ? {} : { hint: 'Give a directory that you may write, with KIT_STATE_DIR.' }),
        cause,
        data: { stateDir },
      },
    );
  }
}

/** What the system says of a disk or of this process, by its own code. */
export const SYSTEM_CODES: ReadonlyMap<string, ErrorCode> = new Map([
  ['ENOSPC', 'KIT_STORE_FULL'],
  ['EDQUOT', 'KIT_STORE_FULL'],
  ['EFBIG', 'KIT_STORE_FULL'],
  ['EROFS', 'KIT_STORE_READ_ONLY'],
  ['EMFILE', 'KIT_TOO_MANY_FILES'],
  ['ENFILE', 'KIT_TOO_MANY_FILES'],
]);

/** What the system says of a disk or of this process, as its code; anything else as it came. */
export function asSystemTrouble(error: unknown, sentence: string): unknown {
  const system = error instanceof Error && 'code' in error ? String(error.code) : '';
  const code = SYSTEM_CODES.get(system);
  if (code === undefined) return error;
  return new KitError(code, `${sentence}: ${messageOf(error)}`, { cause: error, data: { system } });
}

async function nearestExisting(path: string): Promise<string> {
  let candidate = path;
  for (;;) {
    const found = await stat(candidate).catch(() => null);
    const parent = dirname(candidate);
    if (found !== null || parent === candidate) return candidate;
    candidate = parent;
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
