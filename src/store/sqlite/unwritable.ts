import { KitError } from '../../domain/errors.js';
import { sqliteCode } from './busy.js';

/** What is wrong with a statement or its values, not with the file. */
const OWN_FAULTS = ['SQLITE_CONSTRAINT', 'SQLITE_ERROR', 'SQLITE_MISMATCH', 'SQLITE_RANGE', 'SQLITE_TOOBIG'];

/** A full disk, a lost volume, a read-only file: nothing was written, and somebody has to look. */
export function asUnwritable(error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === null || OWN_FAULTS.some((fault) => code.startsWith(fault))) return error;
  return new KitError('KIT_STORE_UNAVAILABLE', `the store cannot be written: ${error instanceof Error ? error.message : code}`, {
    cause: error,
    data: { sqlite: code },
  });
}
