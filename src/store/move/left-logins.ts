import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LeftLogin } from '../../domain/ports/store-move.js';
import { realPacing } from '../pacing.js';
import { LIST_LOGINS } from '../sealed/sealed-sql.js';
import { retryBusy } from '../sqlite/busy.js';
import { openConnection } from '../sqlite/connection.js';

/**
 * Logins in `<stateDir>/state/oauth.db`, by name alone: no key is asked for. They do not move: what
 * they are sealed with is a key of that store, and revisions of a refresh that goes on there would
 * be lost.
 */
export async function leftLogins(stateDir: string): Promise<readonly LeftLogin[]> {
  const path = join(stateDir, 'state', 'oauth.db');
  if (!existsSync(path)) return [];
  const { sql, close } = await openConnection({ path, mode: 'read', pacing: realPacing });
  try {
    return await retryBusy(realPacing, () =>
      // One that was made and never filled has no table yet.
      Number(sql.pragma('user_version')) === 0 ? [] : sql.all<LeftLogin>(LIST_LOGINS, {}),
    );
  } finally {
    close();
  }
}
