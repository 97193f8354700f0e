import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NO_FAULTS } from '../../../src/domain/faults.js';
import { SCHEMA_VERSION } from '../../../src/store/migrations.js';
import { openPostgresStores } from '../../../src/store/postgres/open-postgres-stores.js';
import { probePostgres } from '../../../src/store/postgres/probe.js';
import { createDatabase, postgresUrl, type TestDatabase, withClient } from '../../support/components/postgres.js';
import { placeOf } from '../../support/postgres-world.js';
import { createIds } from '../../support/store-samples.js';
import { SILENT } from '../../support/store-world.js';

const role = `kit_test_${randomBytes(6).toString('hex')}`;
let database: TestDatabase;
let url: string;
beforeEach(async () => {
  database = await createDatabase();
  const own = new URL(database.url);
  await database.query(
    `CREATE ROLE ${role} LOGIN PASSWORD 'of-the-role'; GRANT CREATE ON DATABASE ${own.pathname.slice(1)} TO ${role}`,
  );
  url = Object.assign(own, { username: role, password: 'of-the-role' }).href;
});
afterEach(async () => {
  await database.drop();
  await withClient(await postgresUrl(), (client) => client.query(`DROP ROLE ${role}`));
});

it('tells everything but how long a commit takes where the user may not write the message that it is measured with', async () => {
  const stores = await openPostgresStores({
    place: placeOf(url),
    poolSize: 1,
    maxOverflow: 2,
    ids: createIds(1),
    faults: NO_FAULTS,
    log: SILENT,
  });
  await stores.close();
  expect((await probePostgres(placeOf(url))).commitMs).toBeGreaterThan(0);

  // Every form that this server has of it.
  await database.query(`
    DO $$ DECLARE one regprocedure; BEGIN
      FOR one IN SELECT oid::regprocedure FROM pg_proc WHERE proname = 'pg_logical_emit_message' LOOP
        EXECUTE 'REVOKE EXECUTE ON FUNCTION ' || one || ' FROM PUBLIC';
      END LOOP;
    END $$`);
  expect(await probePostgres(placeOf(url))).toMatchObject({
    schemaVersion: SCHEMA_VERSION,
    commitMs: null,
    isReadOnly: false,
    scratch: [],
  });
});
