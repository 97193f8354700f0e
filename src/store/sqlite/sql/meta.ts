export { INSERT_META, READ_META, SET_META } from '../../sql/meta.js';

/**
 * Exists from before the first migration, so that two starting processes have one row to agree on.
 */
export const CREATE_META = 'CREATE TABLE IF NOT EXISTS store_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT';
export const FIND_META_TABLE = "SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = 'store_meta'";
