import type { ErrorCode } from '../../domain/error-registry.js';
import { asTooManyFiles, isKitError, KitError, messageOf } from '../../domain/errors.js';

interface StateTrouble {
  readonly code: ErrorCode;
  readonly sentence: string;
  /** Absent: the hint of the code. */
  readonly hint?: string;
}

const READ_ONLY: StateTrouble = { code: 'KIT_STORE_READ_ONLY', sentence: 'the database takes no writes' };
const CORRUPT: StateTrouble = { code: 'KIT_STORE_CORRUPT', sentence: 'the database is damaged' };
const STARTING: StateTrouble = {
  code: 'KIT_STORE_UNAVAILABLE',
  sentence: 'the database is starting, recovering or shutting down',
  hint: 'Wait until the server takes connections (`pg_isready`), then run it again.',
};

/** By SQLSTATE: what a server says of itself, and what helps. */
const STATES: ReadonlyMap<string, StateTrouble> = new Map([
  ['25006', READ_ONLY],
  ['53100', { code: 'KIT_STORE_FULL', sentence: 'the disk of the database has no room' }],
  [
    '53300',
    {
      code: 'KIT_STORE_UNAVAILABLE',
      sentence: 'the database has no connection free',
      hint: 'Raise max_connections (or the limit of the role), or lower KIT_STORE_POOL_SIZE and KIT_STORE_MAX_OVERFLOW.',
    },
  ],
  ['57P03', STARTING],
  ['XX001', CORRUPT],
  ['XX002', CORRUPT],
  [
    '42501',
    {
      code: 'KIT_STORE_REFUSED',
      sentence: 'the role of the database lacks a right',
      hint: 'GRANT it (the message names the table), or make the role the owner of the schema kit.',
    },
  ],
]);

/** What the server, or the system below it, said of itself; null for anything else. */
export function asServerTrouble(error: unknown, state: string | null): KitError | null {
  const files = asTooManyFiles(error);
  if (files !== error && isKitError(files)) return files;
  const trouble = state === null ? undefined : STATES.get(state);
  if (trouble === undefined) return null;
  return new KitError(trouble.code, `${trouble.sentence}: ${messageOf(error)}`, {
    ...(trouble.hint === undefined ? {} : { hint: trouble.hint }),
    cause: error,
    data: { sqlstate: state },
  });
}
