import { NO_FAULTS } from '../../src/domain/faults.js';
import { openPostgresStores } from '../../src/store/postgres/open-postgres-stores.js';
import { asAdmin, createDatabase, type DatabaseTemplate } from './components/postgres.js';
import { createIds } from './store-samples.js';
import { MANUAL_START_MS, SILENT } from './store-world.js';

const TEMPLATE: DatabaseTemplate = { name: 'kit_migrated', heldAtMs: MANUAL_START_MS };
/** Of the lock under which one process makes it. */
const LOCK = 4_207_001;

let made: Promise<void> | undefined;

/** A store without a row, its clock held: made once a test run, by whoever asks first. */
export async function migratedTemplate(): Promise<DatabaseTemplate> {
  made ??= asAdmin(async (admin) => {
    await admin.query('SELECT pg_advisory_lock($1)', [LOCK]);
    try {
      const { rows } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [TEMPLATE.name]);
      if (rows.length === 0) await make();
    } finally {
      await admin.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    }
  });
  await made;
  return TEMPLATE;
}

async function make(): Promise<void> {
  const database = await createDatabase();
  const stores = await openPostgresStores({
    place: { url: database.url, setting: 'storage.runtime.url' },
    poolSize: 1,
    maxOverflow: 1,
    ids: createIds(0xfe),
    faults: NO_FAULTS,
    log: SILENT,
  });
  await stores.close();
  await database.holdClock(MANUAL_START_MS);
  // It has its name when it is whole.
  const name = new URL(database.url).pathname.slice(1);
  await asAdmin((admin) => admin.query(`ALTER DATABASE ${name} RENAME TO ${TEMPLATE.name}`));
}
