import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SqliteFacts } from '../../domain/ports/store-facts.js';
import { realPacing } from '../pacing.js';
import { retryBusy } from './busy.js';
import { openConnection } from './connection.js';
import { versionOf } from './migrate.js';

/**
 * Reads the store of a state directory, if there is one; makes and writes nothing. Throws
 * KIT_STORE_UNAVAILABLE, KIT_STORE_BUSY.
 */
export async function probeSqlite(stateDir: string): Promise<SqliteFacts> {
  const path = join(stateDir, 'store.sqlite');
  const found = await stat(path).catch(() => null);
  if (found === null || found.size === 0) return { path, schemaVersion: null, bytes: 0 };
  const { sql, close } = await openConnection({ path, mode: 'read', pacing: realPacing });
  try {
    const version = await retryBusy(realPacing, () => versionOf(sql));
    return { path, schemaVersion: version === 0 ? null : version, bytes: found.size };
  } finally {
    close();
  }
}
