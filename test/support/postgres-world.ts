import { randomBytes } from 'node:crypto';
import { NO_FAULTS } from '../../src/domain/faults.js';
import type { Ids } from '../../src/domain/ports/system.js';
import { realPacing } from '../../src/store/pacing.js';
import { openPostgresStores, type PostgresStoreOptions } from '../../src/store/postgres/open-postgres-stores.js';
import { CURSOR_KEY_BYTES } from '../../src/store/store-meta.js';
import { createDatabase, type TestDatabase } from './components/postgres.js';
import { migratedTemplate } from './postgres-template.js';
import { createIds } from './store-samples.js';
import { MANUAL_START_MS, SILENT, type StoreWorld } from './store-world.js';

export interface PostgresWorld extends StoreWorld {
  readonly database: TestDatabase;
}

export const placeOf = (url: string): PostgresStoreOptions['place'] => ({ url, setting: 'storage.runtime.url' });

/** Holds a store already, with the id and the key that it would have drawn if it were made anew. */
async function createMigrated(ids: Ids): Promise<TestDatabase> {
  const database = await createDatabase(await migratedTemplate());
  await database.query(
    "UPDATE kit.store_meta SET value = CASE key WHEN 'log_id' THEN $1 ELSE $2 END WHERE key IN ('log_id', 'cursor_key')",
    [ids.uuid(), randomBytes(CURSOR_KEY_BYTES).toString('hex')],
  );
  return database;
}

/**
 * A store without a row; its clock stands still but for `elapse`. In a database of its own, or in
 * this empty one, where what is done to make a store is looked at as well.
 */
export async function openPostgresWorld(
  over: Partial<PostgresStoreOptions> = {},
  empty: TestDatabase | null = null,
): Promise<PostgresWorld> {
  const ids = over.ids ?? createIds(0xfe);
  const database = empty ?? (await createMigrated(ids));
  let elapsedMs = 0;
  // Time goes on for the processes too.
  const pacing = { ...realPacing, nowMs: () => realPacing.nowMs() + elapsedMs };
  const options: PostgresStoreOptions = {
    place: placeOf(database.url),
    poolSize: 2,
    maxOverflow: 2,
    faults: NO_FAULTS,
    log: SILENT,
    ...over,
    ids,
    parts: { pacing, ...over.parts },
  };
  let stores = await openPostgresStores(options);
  await database.holdClock(MANUAL_START_MS);
  return {
    get stores() {
      return stores;
    },
    ids: createIds(),
    database,
    elapse: (ms) => {
      elapsedMs += ms;
      return database.elapse(ms);
    },
    async reopen() {
      await stores.close();
      // Ids never come back: a new process draws others.
      stores = await openPostgresStores({ ...options, ids: createIds(0xff) });
    },
    async dispose() {
      await stores.close();
      await database.drop();
    },
  };
}
