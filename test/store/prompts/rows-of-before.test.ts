import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { NO_FAULTS } from '../../../src/domain/faults.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { MIGRATIONS } from '../../../src/store/migrations.js';
import { POSTGRES_MIGRATIONS } from '../../../src/store/postgres/migrations/index.js';
import { openPostgresStores } from '../../../src/store/postgres/open-postgres-stores.js';
import { createSchemaOf, CREATE_META as POSTGRES_META } from '../../../src/store/postgres/sql/meta.js';
import { SQLITE_MIGRATIONS } from '../../../src/store/sqlite/migrations/index.js';
import { CREATE_META as SQLITE_META } from '../../../src/store/sqlite/sql/meta.js';
import { createDatabase } from '../../support/components/postgres.js';
import { placeOf } from '../../support/postgres-world.js';
import { callOf, conversation, keepCalls, promptOf } from '../../support/prompt-sample.js';
import { createIds } from '../../support/store-samples.js';
import { openSqliteWorld, SILENT } from '../../support/store-world.js';

/** The migrations of the build that wrote each prompt whole. */
const BEFORE = MIGRATIONS.filter(({ number }) => number < 9).map(({ number }) => number);
const WHOLE = '{"messages":["system","task"],"messages_left_out":7,"tools":["note"]}';
const META = `INSERT INTO store_meta VALUES ('schema_version', '8'), ('log_id', 'the-log'), ('cursor_key', '${'ab'.repeat(32)}')`;
const ROWS = `INSERT INTO prompts (ord, job_id, step_key, agent_id, purpose, provider, model, tries, asked_at, duration_ms, bytes, prompt, answer)
VALUES (7, 'job', 'root/t1', 'root', 'turn', 'mock', 'm1', 1, '2026-01-02T03:04:05.000Z', 5, 80, '${WHOLE}', '{"parts":[]}'),
  (9, 'job', 'root/t2', 'root', 'turn', 'mock', 'm1', 1, '2026-01-02T03:04:05.000Z', 5, 80, '${WHOLE}', '{"parts":[]}')`;
const BOUNDS = { count: 3, bytes: 1_000_000, ageMs: 5 * 365 * 24 * 60 * 60 * 1000 };

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanUps.splice(0).reverse()) await clean();
});

const OPEN: Readonly<Record<string, () => Promise<Stores>>> = {
  SQLite: async () => {
    const root = await mkdtemp(join(tmpdir(), 'kit-prompts-'));
    cleanUps.push(() => rm(root, { recursive: true, force: true }));
    const stateDir = join(root, '.kit');
    await mkdir(stateDir, { mode: 0o700 });
    const old = new Database(join(stateDir, 'store.sqlite'));
    old.exec([SQLITE_META, ...BEFORE.map((number) => SQLITE_MIGRATIONS[number]), META, ROWS].join(';'));
    old.close();
    const world = await openSqliteWorld({ stateDir });
    cleanUps.push(() => world.dispose());
    return world.stores;
  },
  PostgreSQL: async () => {
    const database = await createDatabase();
    cleanUps.push(() => database.drop());
    const schema = [createSchemaOf('kit'), 'SET search_path = kit', POSTGRES_META];
    await database.query([...schema, ...BEFORE.map((number) => POSTGRES_MIGRATIONS[number]), META, ROWS].join(';'));
    await database.query("SELECT setval(pg_get_serial_sequence('kit.prompts', 'ord'), 10, false)");
    const parts = { place: placeOf(database.url), poolSize: 2, maxOverflow: 2, ids: createIds(0xfe) };
    const stores = await openPostgresStores({ ...parts, faults: NO_FAULTS, log: SILENT });
    cleanUps.push(() => stores.close());
    return stores;
  },
};

it.each(Object.keys(OPEN))(
  'calls that an earlier version kept in %s are told as they were, beside those of this one, and go before them',
  async (dialect) => {
    const stores = await OPEN[dialect]!();
    const before = (n: number) => ({ ...promptOf(n), prompt: WHOLE });
    expect(await stores.prompts.list({ jobId: 'job', limit: 10 })).toEqual([before(2), before(1)]);

    const talk = conversation('a');
    await keepCalls(stores, [talk(3, ['system']), talk(4, ['more'])], BOUNDS);
    const listed = await stores.prompts.list({ jobId: null, limit: 10 });
    expect(listed.map(({ stepKey }) => stepKey)).toEqual(['root/t4', 'root/t3', 'root/t2']);
    expect(listed[0]?.prompt).toBe('{"messages":["system","more"],"tools":[]}');
    expect(listed[2]).toEqual(before(2));

    await keepCalls(stores, [callOf(5), callOf(6)], BOUNDS);
    expect((await stores.prompts.list({ jobId: null, limit: 10 })).map(({ stepKey }) => stepKey)).toEqual([
      'root/t6',
      'root/t5',
      'root/t4',
    ]);
  },
);
