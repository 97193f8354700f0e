import { NO_FAULTS } from '../../src/domain/faults.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { openPostgresStores } from '../../src/store/postgres/open-postgres-stores.js';
import { openSqliteStores } from '../../src/store/sqlite/open-sqlite-stores.js';
import { openPostgresWorld, placeOf } from './postgres-world.js';
import { createIds } from './store-samples.js';
import { createManualClock, openSqliteWorld, SILENT } from './store-world.js';

/** One store that several processes have open. */
export interface SharedStore {
  /**
   * Opens it once more, on connections that know nothing of the others, as another process would;
   * `process` begins its ids.
   */
  join(process: number): Promise<Stores>;
  /** Closes everything that was opened, and removes it. */
  dispose(): Promise<void>;
}

type Open = (process: number) => Promise<Stores>;

function shared(open: Open, dispose: () => Promise<void>): SharedStore {
  const opened: Stores[] = [];
  return {
    async join(process) {
      const stores = await open(process);
      opened.push(stores);
      return stores;
    },
    async dispose() {
      await Promise.all(opened.map((stores) => stores.close()));
      await dispose();
    },
  };
}

async function sqlite(): Promise<SharedStore> {
  const world = await openSqliteWorld();
  const clock = createManualClock();
  const common = { stateDir: world.stateDir, clock, faults: NO_FAULTS, log: SILENT, processStartOf: () => '1' };
  return shared(
    (process) => openSqliteStores({ ...common, ids: createIds(0x100 + process) }),
    () => world.dispose(),
  );
}

async function postgres(): Promise<SharedStore> {
  const world = await openPostgresWorld();
  const common = { place: placeOf(world.database.url), poolSize: 1, maxOverflow: 2, faults: NO_FAULTS, log: SILENT };
  return shared(
    (process) => openPostgresStores({ ...common, ids: createIds(0x100 + process) }),
    () => world.dispose(),
  );
}

export const SHARED_STORES: readonly (readonly [string, () => Promise<SharedStore>])[] = [
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
];
