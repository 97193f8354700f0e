import type { StorageBlock } from './storage-settings.js';

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
