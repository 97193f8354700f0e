import { access, constants, open, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ErrorCode } from '../../domain/error-registry.js';
import { isKitError, KitError, messageOf } from '../../domain/errors.js';
import { SYSTEM_CODES } from '../state-dir.js';
import { sqliteCode } from './busy.js';

interface Place {
  readonly path: string;
  readonly mode: 'read' | 'write';
}

/**
 * Why a store file could not be opened. SQLite says little of it ("unable to open", "disk I/O
 * error"), so the system is asked what stands in the way: no file descriptor, no room, a directory.
 * A file that SQLite does not know is a matter of the setting (KIT_STORE_UNAVAILABLE), not a bug.
 */
export async function unopened(error: unknown, place: Place): Promise<unknown> {
  if (isKitError(error)) return error;
  const sqlite = sqliteCode(error);
  const system = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (sqlite === null && !/^E[A-Z]+$/.test(system)) return error;
  const found = await whyOf(sqlite ?? system, place);
  return new KitError(found.code, `the store ${place.path} cannot be opened: ${found.sentence ?? messageOf(error)}`, {
    ...(found.hint === undefined ? {} : { hint: found.hint }),
    cause: error,
    data: { path: place.path, ...(sqlite === null ? { system } : { sqlite }) },
  });
}

/** Private before a byte is in it. Throws what `unopened` makes of the failure. */
export const createPrivate = (path: string): Promise<void> =>
  open(path, 'a', 0o600).then(
    (file) => file.close(),
    async (error: unknown) => {
      throw await unopened(error, { path, mode: 'write' });
    },
  );

interface Why {
  readonly code: ErrorCode;
  readonly sentence?: string;
  readonly hint?: string;
}

const DIRECTORY: Why = {
  code: 'KIT_STORE_UNAVAILABLE',
  sentence: 'it is a directory, and a store is a file',
  hint: 'Move the directory away, or name another state directory with KIT_STATE_DIR.',
};

async function whyOf(said: string, { path, mode }: Place): Promise<Why> {
  if (said.startsWith('SQLITE_CORRUPT')) return { code: 'KIT_STORE_CORRUPT' };
  if (said.startsWith('SQLITE_FULL')) return { code: 'KIT_STORE_FULL' };
  if (said.startsWith('SQLITE_READONLY')) return { code: 'KIT_STORE_READ_ONLY' };
  const known = SYSTEM_CODES.get(said);
  if (known !== undefined) return { code: known };
  if (said.startsWith('SQLITE_NOTADB')) return { code: 'KIT_STORE_UNAVAILABLE' };
  return (await askSystem(path, mode)) ?? { code: 'KIT_STORE_UNAVAILABLE' };
}

async function askSystem(path: string, mode: Place['mode']): Promise<Why | null> {
  try {
    if ((await stat(path)).isDirectory()) return DIRECTORY;
    if (mode === 'write' && (await statfs(dirname(path))).bavail === 0)
      return { code: 'KIT_STORE_FULL', sentence: 'its disk has no room' };
    await access(path, mode === 'write' ? constants.R_OK | constants.W_OK : constants.R_OK);
    // Asking for one more descriptor tells whether there is one.
    await (await open(path, 'r')).close();
    return null;
  } catch (error) {
    const known = SYSTEM_CODES.get(error instanceof Error && 'code' in error ? String(error.code) : '');
    return known === undefined ? null : { code: known };
  }
}
