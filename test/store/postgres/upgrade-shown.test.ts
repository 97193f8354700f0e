import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ShowUpgrade } from '../../../src/store/migrations.js';
import { MIGRATIONS } from '../../../src/store/migrations.js';
import { POSTGRES_MIGRATIONS } from '../../../src/store/postgres/migrations/index.js';
import { openPostgresStores } from '../../../src/store/postgres/open-postgres-stores.js';
import { CREATE_META, createSchemaOf } from '../../../src/store/postgres/sql/meta.js';
import { createDatabase, type TestDatabase } from '../../support/components/postgres.js';
import { placeOf } from '../../support/postgres-world.js';
import { createIds } from '../../support/store-samples.js';
import { SILENT } from '../../support/store-world.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

it.each([
  [60_000_000, 1],
  [1_000, 0],
])('a store of %i bytes is brought up to date where it is seen %i times', async (bytes, times) => {
  const before = MIGRATIONS.slice(0, -2).map(({ number }) => POSTGRES_MIGRATIONS[number]);
  await database.query(`${createSchemaOf('kit')}; SET search_path = kit; ${CREATE_META}; ${before.join(';')}`);
  await database.query(
    `INSERT INTO kit.store_meta VALUES ('schema_version', '${before.length}'), ('log_id', 'x'), ('cursor_key', 'ab')`,
  );
  await database.query('CREATE TABLE kit.filler (text TEXT); ALTER TABLE kit.filler ALTER text SET STORAGE EXTERNAL');
  await database.query(`INSERT INTO kit.filler VALUES (repeat('x', ${bytes}))`);
  const seen: string[] = [];
  const showUpgrade: ShowUpgrade = async ({ place, estimateMs }) => {
    seen.push(`${place} ${estimateMs}`);
    return { at: (done, of) => void seen.push(`${done}/${of}`), end: (outcome) => void seen.push(outcome) };
  };

  const parts = { poolSize: 1, maxOverflow: 2, ids: createIds(1), faults: { hit: () => undefined }, log: SILENT };
  const stores = await openPostgresStores({ ...parts, place: placeOf(database.url), showUpgrade });
  const { location } = stores;
  await stores.close();

  expect(seen).toEqual(times === 0 ? [] : [`${location} null`, '0/2', '1/2', '2/2', 'done']);
});
