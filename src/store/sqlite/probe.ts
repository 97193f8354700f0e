import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SqliteFacts } from '../../domain/ports/store-facts.js';
import { realPacing } from '../pacing.js';
import { retryBusy } from './busy.js';
import { openConnection } from './connection.js';
import { versionOf } from './migrate.js';
import { asStoreTrouble } from './unwritable.js';

/** What SQLite says of a file without damage. */
const FINE = 'ok';

/**
 * Reads the store of a state directory, if there is one; makes and writes nothing. A file up to
 * `readUpToBytes` is read through for damage, in one go: nothing else happens meanwhile. Throws
 * KIT_STORE_UNAVAILABLE, KIT_STORE_BUSY.
 */
export async function probeSqlite(stateDir: string, readUpToBytes = 0): Promise<SqliteFacts> {
  const path = join(stateDir, 'store.sqlite');
  const found = await stat(path).catch(() => null);
  if (found === null || found.size === 0) return { path, schemaVersion: null, bytes: 0, damage: null, isRead: false };
  const { sql, close } = await openConnection({ path, mode: 'read', pacing: realPacing });
  try {
    const version = await retryBusy(realPacing, () => versionOf(sql));
    const isRead = found.size <= readUpToBytes;
    const said = isRead ? String(await retryBusy(realPacing, () => sql.pragma('quick_check(1)'))) : FINE;
    return {
      path,
      schemaVersion: version === 0 ? null : version,
      bytes: found.size,
      damage: said === FINE ? null : said,
      isRead,
    };
  } catch (error) {
    throw asStoreTrouble(error);
  } finally {
    close();
  }
}
