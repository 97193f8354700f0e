export { INSERT_META, READ_META, READ_METAS, SET_META } from '../../sql/meta.js';

/** The first schema of the search path that is there; each connection has one alone in it. */
export const FIND_SCHEMA = 'SELECT 1 AS found WHERE current_schema() IS NOT NULL';
export const createSchemaOf = (schema: string): string => `CREATE SCHEMA ${schema}`;
/**
 * Exists from before the first migration, so that two starting processes have one row to agree on.
 */
export const CREATE_META = 'CREATE TABLE IF NOT EXISTS store_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)';
export const FIND_META_TABLE =
  "SELECT 1 AS found FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'store_meta'";
export const SERVER_FACTS =
  "SELECT current_setting('server_encoding') AS encoding, current_setting('server_version_num')::int AS version";
