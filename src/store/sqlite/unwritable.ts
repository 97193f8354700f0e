import { KitError } from '../../domain/errors.js';
import { sqliteCode } from './busy.js';

/** What is wrong with a statement or its values, not with the file. */
const OWN_FAULTS = ['SQLITE_CONSTRAINT', 'SQLITE_ERROR', 'SQLITE_MISMATCH', 'SQLITE_RANGE', 'SQLITE_TOOBIG'];

/**
 * What is wrong with the file or the machine: a full disk, a lost volume, a file that is read-only
 * or no database any more, no memory.
 */
const OUTAGES = ['BUSY', 'LOCKED', 'FULL', 'IOERR', 'READONLY', 'CANTOPEN', 'NOTADB', 'NOMEM', 'PERM', 'PROTOCOL'].map(
  (name) => `SQLITE_${name}`,
);

/**
 * What a write is given up with. KIT_STORE_UNAVAILABLE: the store can be written by nobody now, and
 * somebody has to look. KIT_STORE_REFUSED: the store answers, and does not do this (a damaged page,
 * say), as it most likely will not the next time either. A wrong value is told as it is.
 */
export function asUnwritable(error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === null || OWN_FAULTS.some((fault) => code.startsWith(fault))) return error;
  if (!OUTAGES.some((outage) => code.startsWith(outage)))
    return new KitError(
      'KIT_STORE_REFUSED',
      `the store refused a write: ${error instanceof Error ? error.message : code}`,
      {
        cause: error,
        data: { sqlite: code },
      },
    );
  return new KitError(
    'KIT_STORE_UNAVAILABLE',
    `the store cannot be written: ${error instanceof Error ? error.message : code}`,
    {
      cause: error,
      data: { sqlite: code },
    },
  );
}
