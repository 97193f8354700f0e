/**
 * Nothing: what this number makes leaner in SQLite (its trigger on inserts, the keys of its
 * indexes) this dialect does not have.
 */
export const LEAN_LOG = 'SELECT 1';
