import { SCHEMA } from '../connections.js';

export { INSERT_META, READ_META, SET_META } from '../../sql/meta.js';

export const FIND_SCHEMA = `SELECT 1 AS found FROM pg_namespace WHERE nspname = '${SCHEMA}'`;
export const CREATE_SCHEMA = `CREATE SCHEMA ${SCHEMA}`;
/** Exists from before the first migration, so that two starting processes have one row to agree on. */
export const CREATE_META = 'CREATE TABLE IF NOT EXISTS store_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)';
export const FIND_META_TABLE = `SELECT 1 AS found FROM pg_tables WHERE schemaname = '${SCHEMA}' AND tablename = 'store_meta'`;
export const SERVER_FACTS = "SELECT current_setting('server_encoding') AS encoding, current_setting('server_version_num')::int AS version";
