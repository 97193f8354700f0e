import { LOCK_CLASS } from './session.js';

/**
 * Statements that fill a database from another store; names of tables and columns are those of the
 * schema.
 */

interface Spec {
  readonly table: string;
  readonly key: readonly string[];
}

interface Typed {
  readonly name: string;
  readonly type: string;
}

/**
 * Held by the session that fills the database, so that there is one, and so that nobody else writes
 * meanwhile: every other write shares it.
 */
export const TRY_LOCK_MOVE = `SELECT pg_try_advisory_lock(${LOCK_CLASS}, 6) AS taken`;

export const MOVE_COLUMNS = `
SELECT table_name AS "table", column_name AS name, data_type AS type, is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' AS required
FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`;

export const COUNT_ROWS = (table: string): string => `SELECT count(*) AS rows FROM ${table}`;

export function INSERT_ROWS(table: string, columns: readonly Typed[]): string {
  const names = columns.map(({ name }) => quoted(name)).join(', ');
  const lists = columns.map(({ name, type }) => `CAST(@${name} AS ${type}[])`).join(', ');
  return `INSERT INTO ${table} (${names}) SELECT ${names} FROM unnest(${lists}) AS r (${names}) ON CONFLICT DO NOTHING`;
}

export const INSERT_BLOB =
  'INSERT INTO blobs (sha256, bytes, put_at) VALUES (@sha256, @bytes, @putAt) ON CONFLICT (sha256) DO NOTHING';

export function MOVE_PAGE(spec: Spec, columns: readonly Typed[], isAfter: boolean): string {
  const key = spec.key.map((name) => ordered(columns, name)).join(', ');
  const after = isAfter ? ` WHERE (${key}) > (${spec.key.map((name) => `@${name}`).join(', ')})` : '';
  return `SELECT ${columns.map(({ name }) => quoted(name)).join(', ')} FROM ${spec.table}${after} ORDER BY ${key} LIMIT @limit`;
}

/** Text byte by byte, as in the other store, whatever the locale of the database. */
const ordered = (columns: readonly Typed[], name: string): string =>
  columns.find((column) => column.name === name)?.type === 'text' ? `${quoted(name)} COLLATE "C"` : quoted(name);

/** The digest is taken by the server: the bytes need not travel back. */
export const BLOB_PAGE = (isAfter: boolean): string => `
SELECT sha256, octet_length(bytes) AS bytes, encode(sha256(bytes), 'hex') = sha256 AS whole FROM blobs${isAfter ? ' WHERE sha256 > @sha256' : ''}
ORDER BY sha256 LIMIT @limit`;

export const IDENTITIES = `
SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
WHERE table_schema = current_schema() AND is_identity = 'YES' ORDER BY table_name`;

/** The next number lies behind every one that was copied; an empty table begins at 1. */
export const MOVE_SEQUENCE = (table: string, column: string): string => `
SELECT setval(pg_get_serial_sequence('${table}', '${column}'), coalesce(max(${quoted(column)}), 0) + 1, false) AS next FROM ${table}`;

const quoted = (name: string): string => `"${name}"`;

/** A schema of before the fleet has no such table. */
export const FIND_FLEET_TABLE =
  "SELECT 1 AS found FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'fleet_members'";
