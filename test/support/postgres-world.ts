import { NO_FAULTS } from '../../src/domain/faults.js';
import { realPacing } from '../../src/store/pacing.js';
import { openPostgresStores, type PostgresStoreOptions } from '../../src/store/postgres/open-postgres-stores.js';
import { createDatabase, type TestDatabase } from './components/postgres.js';
import { createIds } from './store-samples.js';
import { MANUAL_START_MS, SILENT, type StoreWorld } from './store-world.js';

export interface PostgresWorld extends StoreWorld {
  readonly database: TestDatabase;
}

export const placeOf = (url: string): PostgresStoreOptions['place'] => ({ url, setting: 'storage.runtime.url' });

/** A store in an empty database of its own; its clock stands still but for `elapse`. */
export async function openPostgresWorld(over: Partial<PostgresStoreOptions> = {}): Promise<PostgresWorld> {
  const database = await createDatabase();
  let elapsedMs = 0;
  // Time goes on for the processes too.
  const pacing = { ...realPacing, nowMs: () => realPacing.nowMs() + elapsedMs };
  const options: PostgresStoreOptions = {
    place: placeOf(database.url),
    poolSize: 2,
    maxOverflow: 2,
    ids: createIds(0xfe),
    faults: NO_FAULTS,
    log: SILENT,
    ...over,
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
