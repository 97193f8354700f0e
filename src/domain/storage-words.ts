import type { StorageBlock } from './storage-settings.js';

/** Days that audit is kept where `storage.audit.retention_days` is not written. */
export const DEFAULT_AUDIT_RETENTION_DAYS = 365;

/**
 * Which engine a block means: a URL without a backend means its server, a path a file of SQLite.
 * Null: it says neither.
 */
export function saysEngine(block: StorageBlock | null): 'sqlite' | 'postgres' | null {
  if (block === null) return null;
  if (block.backend !== null) return block.backend;
  if (block.url !== null) return 'postgres';
  return block.path === undefined ? null : 'sqlite';
}
