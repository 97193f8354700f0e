/** Statements about the store itself, the same text in both dialects; named parameters. */

export const READ_META = 'SELECT value FROM store_meta WHERE key = @key';
export const INSERT_META = 'INSERT INTO store_meta (key, value) VALUES (@key, @value) ON CONFLICT (key) DO NOTHING';
export const SET_META =
  'INSERT INTO store_meta (key, value) VALUES (@key, @value) ON CONFLICT (key) DO UPDATE SET value = excluded.value';

export const READ_METAS = 'SELECT key, value FROM store_meta ORDER BY key';

export const DROP_META = 'DELETE FROM store_meta WHERE key = @key';
