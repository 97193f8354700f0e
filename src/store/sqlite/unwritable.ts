import { KitError, messageOf } from '../../domain/errors.js';
import { sqliteCode } from './busy.js';

/** What is wrong with a statement or its values, not with the file. */
const OWN_FAULTS = ['SQLITE_CONSTRAINT', 'SQLITE_ERROR', 'SQLITE_MISMATCH', 'SQLITE_RANGE', 'SQLITE_TOOBIG'];

/** What is wrong with the file or the machine, where nothing more is known: a lost volume, say. */
const OUTAGES = ['BUSY', 'LOCKED', 'IOERR', 'CANTOPEN', 'NOMEM', 'PERM', 'PROTOCOL'].map((name) => `SQLITE_${name}`);

/** A read or write of the file has failed; SQLite does not tell a quota from a limit. */
const OF_THE_DISK = 'Look at the disk of the store: its room, a quota, a limit of file sizes, its mount.';

/** What SQLite says of the file itself, each with a way on of its own. */
const OF_THE_FILE = [
  ['SQLITE_CORRUPT', 'KIT_STORE_CORRUPT', 'is damaged'],
  ['SQLITE_NOTADB', 'KIT_STORE_CORRUPT', 'is not a database any more'],
  ['SQLITE_FULL', 'KIT_STORE_FULL', 'has no room'],
  ['SQLITE_READONLY', 'KIT_STORE_READ_ONLY', 'cannot be written'],
] as const;

/**
 * What SQLite says of the file, as the code that has a way on for it: KIT_STORE_CORRUPT,
 * KIT_STORE_FULL, KIT_STORE_READ_ONLY. Anything else is handed back as it came.
 */
export function asStoreTrouble(error: unknown): unknown {
  const code = sqliteCode(error);
  const found = OF_THE_FILE.find(([prefix]) => code?.startsWith(prefix) === true);
  if (code === null || found === undefined) return error;
  const [, known, sentence] = found;
  return new KitError(known, `the store ${sentence}: ${messageOf(error)}`, {
    cause: error,
    data: { sqlite: code },
  });
}

/**
 * What a write is given up with. KIT_STORE_FULL, KIT_STORE_READ_ONLY, KIT_STORE_CORRUPT: what
 * SQLite says of the file. KIT_STORE_UNAVAILABLE: the store can be written by nobody now, and
 * somebody has to look. KIT_STORE_REFUSED: the store answers, and does not do this, as it most
 * likely will not the next time either. A wrong value is told as it is.
 */
export function asUnwritable(error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === null || OWN_FAULTS.some((fault) => code.startsWith(fault))) return error;
  const trouble = asStoreTrouble(error);
  if (trouble !== error) return trouble;
  const isOutage = OUTAGES.some((outage) => code.startsWith(outage));
  return new KitError(
    isOutage ? 'KIT_STORE_UNAVAILABLE' : 'KIT_STORE_REFUSED',
    `${isOutage ? 'the store cannot be written' : 'the store refused a write'}: ${messageOf(error)}`,
    { cause: error, data: { sqlite: code }, ...(code.startsWith('SQLITE_IOERR') ? { hint: OF_THE_DISK } : {}) },
  );
}
