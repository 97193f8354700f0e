import { sha256Hex } from '../../lib/sha256.js';
import { ADVISORY_CLASS } from './sql/session.js';

/** The schema that kit's tables lie in: a database may hold other things. */
export const SCHEMA = 'kit';

/** Stores beside the one of the runs, which are thrown away: `kit doctor --crash`. */
export const SCRATCH_PREFIX = 'kit_crash_';

/** A name stands in SQL text where no parameter can: it is one of kit's own or refused. */
export function assertSchema(schema: string): string {
  if (schema !== SCHEMA && !/^kit_crash_[a-z0-9_]{1,40}$/.test(schema))
    throw new Error(`${schema} is not a schema of kit`);
  return schema;
}

/**
 * First number of every advisory lock of a schema: two stores of one database never wait for each
 * other. That of the schema `kit` is fixed, so that processes of different releases exclude each
 * other.
 */
export const lockClassOf = (schema: string): number =>
  schema === SCHEMA ? ADVISORY_CLASS : Number.parseInt(sha256Hex(schema).slice(0, 7), 16);

/** Where processes tell each other that something was committed. */
export const channelOf = (schema: string): string => `${schema}_change`;
