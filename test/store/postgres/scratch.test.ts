import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/domain/events.js';
import { NO_FAULTS } from '../../../src/domain/faults.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { hasPostgresStore, openPostgresStores } from '../../../src/store/postgres/open-postgres-stores.js';
import { dropScratchSchemas } from '../../../src/store/postgres/scratch.js';
import { createIds } from '../../../src/system/ids.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { createDatabase, type TestDatabase } from '../../support/components/postgres.js';
import { dumpSchema } from '../../support/schema-dump.js';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const EVENT: Omit<Extract<RunEvent, { readonly type: 'input.rejected' }>, 'eventId'> = {
  type: 'input.rejected',
  timestamp: '2026-01-01T00:00:00.000Z',
  topologyId: 't',
  agentId: null,
  skillId: null,
  stepKey: null,
  payload: { errors: [] },
};

let database: TestDatabase;
let opened: Stores[];
beforeEach(async () => {
  database = await createDatabase();
  opened = [];
});
afterEach(async () => {
  for (const stores of opened) await stores.close();
  await database.drop();
});

async function open(schema?: string): Promise<Stores> {
  const place = { url: database.url, setting: 'KIT_STORE_URL' };
  const stores = await openPostgresStores({
    place,
    poolSize: 1,
    maxOverflow: 3,
    ids: createIds(readWorkerHost()),
    faults: NO_FAULTS,
    log,
    schema,
  });
  opened.push(stores);
  return stores;
}

const append = (stores: Stores, n: number) =>
  stores.events.append({ ...EVENT, eventId: `0c0ffee0-0000-4000-8000-00000000000${n}` }, {});
const schemas = async () =>
  (
    await database.query<{ name: string }>(
      "SELECT nspname AS name FROM pg_namespace WHERE starts_with(nspname, 'kit') ORDER BY 1",
    )
  ).map(({ name }) => name);
const place = () => ({ url: database.url, setting: 'KIT_STORE_URL' });

describe('a scratch store in a schema of its own', () => {
  it('keeps everything there, and changes nothing of the store beside it', async () => {
    const kit = await open();
    await append(kit, 1);
    const before = await dumpSchema(database, 'kit');
    const scratch = await open('kit_crash_ab_0001');
    await append(scratch, 2);
    expect(await dumpSchema(database, 'kit')).toEqual(before);
    expect((await scratch.events.read({ limit: 10 })).events.map(({ eventId }) => eventId.at(-1))).toEqual(['2']);
    expect((await kit.events.read({ limit: 10 })).events.map(({ eventId }) => eventId.at(-1))).toEqual(['1']);
  });

  it('is made where there is no other', async () => {
    await open('kit_crash_ab_0001');
    expect(await schemas()).toEqual(['kit_crash_ab_0001']);
    expect(await hasPostgresStore(place())).toBe(false);
    expect(await hasPostgresStore(place(), 'kit_crash_ab_0001')).toBe(true);
  });

  it('does not wait for the locks of the store beside it', async () => {
    const [kit, scratch] = [await open(), await open('kit_crash_ab_0001')];
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    try {
      // "kit", and the end of the log: as a process of kit holds it while it commits.
      await holder.query('SELECT pg_advisory_lock(7039348, 1)');
      await append(scratch, 2);
      const [first] = await Promise.all([
        Promise.race([append(kit, 1).then(() => 'kit'), append(scratch, 3).then(() => 'scratch')]),
        append(scratch, 4).then(() => holder.query('SELECT pg_advisory_unlock(7039348, 1)')),
      ]);
      expect(first).toBe('scratch');
    } finally {
      await holder.end();
    }
  });

  it.each(['kit', 'public', 'kit_crash', 'kit_crash_x; DROP SCHEMA kit', 'KIT_CRASH_X'])(
    'is dropped by a name that says it is one: not %j',
    async (prefix) => {
      await open();
      await expect(dropScratchSchemas(place(), prefix)).rejects.toThrow();
      expect(await schemas()).toEqual(['kit']);
      if (prefix !== 'kit') await expect(open(prefix)).rejects.toThrow('not a schema of kit');
    },
  );

  it('is dropped with those of the same beginning, and no other', async () => {
    for (const schema of [undefined, 'kit_crash_ab_0001', 'kit_crash_ab_0002', 'kit_crash_cd_0001']) await open(schema);
    await dropScratchSchemas(place(), 'kit_crash_ab');
    expect(await schemas()).toEqual(['kit', 'kit_crash_cd_0001']);
  });
});
