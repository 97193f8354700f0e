/** Exists from before the first migration, so that two starting processes have one row to agree on. */
export const CREATE_META = 'CREATE TABLE IF NOT EXISTS store_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT';
export const FIND_META_TABLE = "SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = 'store_meta'";
export const READ_META = 'SELECT value FROM store_meta WHERE key = @key';
export const INSERT_META = 'INSERT INTO store_meta (key, value) VALUES (@key, @value) ON CONFLICT (key) DO NOTHING';
export const SET_META = 'INSERT INTO store_meta (key, value) VALUES (@key, @value) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
