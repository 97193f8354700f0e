import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../../src/domain/faults.js';
import type { StoreMove } from '../../../src/domain/ports/store-move.js';
import { LEFT_TABLES, MOVED_TABLES } from '../../../src/store/move/tables.js';
import { openPostgresStores } from '../../../src/store/postgres/open-postgres-stores.js';
import { createDatabase, type TestDatabase } from '../../support/components/postgres.js';
import { type Filled, fillStore } from '../../support/filled-store.js';
import { digestsOfPostgres, digestsOfSqlite, TABLES_OF_SQLITE } from '../../support/moved-tables.js';
import { moving as move } from '../../support/moving.js';
import { placeOf } from '../../support/postgres-world.js';
import { approve } from '../../support/review-samples.js';
import { claimOf, createIds, newJob, startedEvent } from '../../support/store-samples.js';
import { openSqliteWorld, SILENT, type SqliteWorld } from '../../support/store-world.js';

const RUNS = 60;

describe('a SQLite store that moves to PostgreSQL', () => {
  let world: SqliteWorld;
  let database: TestDatabase;
  let filled: Filled;
  beforeEach(async () => {
    [world, database] = await Promise.all([openSqliteWorld(), createDatabase()]);
    filled = await fillStore({ stores: world.stores, ids: world.ids, runs: RUNS, endedAt: '2026-01-02T03:04:05.000Z' });
  });
  afterEach(async () => {
    await world.dispose();
    await database.drop();
  });

  const moving = <T>(work: (move: StoreMove) => Promise<T>, over: { readonly now?: string } = {}): Promise<T> =>
    move({ world, database }, work, over);
  const copy = () => moving((move) => move.copy(() => undefined));
  const openTarget = () =>
    openPostgresStores({
      place: placeOf(database.url),
      poolSize: 2,
      maxOverflow: 2,
      ids: createIds(0xbb),
      faults: NO_FAULTS,
      log: SILENT,
    });
  const schemas = () => database.query("SELECT 1 FROM pg_namespace WHERE nspname = 'kit'");

  it('says which tables it copies and which it leaves, and forgets none', () => {
    const db = new Database(world.path, { readonly: true });
    const tables = db.prepare(TABLES_OF_SQLITE).pluck().all();
    db.close();

    expect([...MOVED_TABLES.map(({ table }) => table), ...LEFT_TABLES].sort()).toEqual(tables.sort());
  });

  it('holds the same rows afterwards, in every table, and leaves its files as they were', async () => {
    const before = digestsOfSqlite(world.stateDir);

    const plan = await moving((move) => move.plan());
    expect(plan).toMatchObject({ state: 'new', source: world.path });
    expect(await schemas()).toEqual([]);
    const report = await copy();

    expect(await digestsOfPostgres(database)).toEqual(before);
    expect(digestsOfSqlite(world.stateDir)).toEqual(before);
    expect(report.tables.map(({ table, rows, copied }) => ({ table, rows, copied }))).toEqual(
      plan.tables.map(({ table, rows, toCopy }) => ({ table, rows, copied: toCopy })),
    );
    for (const { table } of MOVED_TABLES.filter(
      (spec) => !spec.table.startsWith('pruned') && spec.table !== 'blob_candidates',
    )) {
      expect(report.tables.find((one) => one.table === table)?.rows, table).toBeGreaterThan(0);
    }
  });

  it('goes on there: cursors of before hold, gates are decided, and no number is given twice', async () => {
    const half = (await world.stores.events.read({ limit: 100 })).nextCursor;
    const rest = (await world.stores.events.read({ after: half, limit: 1000 })).events;
    const head = await world.stores.events.headCursor();
    await copy();
    const stores = await openTarget();

    expect((await stores.events.read({ after: half, limit: 1000 })).events).toEqual(rest);
    const [{ jobId, itemId } = expect.fail('no open gate')] = filled.open;
    await stores.reviews.change(jobId, approve({ itemId, by: 'qa-1', ids: createIds(0xcc) }));
    expect(await stores.jobs.get(jobId)).toMatchObject({ status: 'pending' });
    const job = await stores.jobs.insert(newJob('ffffffffffff'), 'pending', [startedEvent('e-new')], claimOf());
    const next = (await stores.events.read({ after: head, limit: 10 })).events;
    expect([...new Set(next.map((event) => event.jobId))]).toEqual([jobId, job.id]);
    await stores.close();
  });

  it('does nothing when it is called again, also after runs went on there', async () => {
    await copy();
    const stores = await openTarget();
    const [{ jobId, itemId } = expect.fail('no open gate')] = filled.open;
    await stores.reviews.change(jobId, approve({ itemId, by: 'qa-1', ids: createIds(0xcc) }));
    await stores.close();
    const after = await digestsOfPostgres(database);

    expect(await moving((move) => move.plan())).toMatchObject({ state: 'done' });
    expect((await copy()).tables.every(({ copied }) => copied === 0)).toBe(true);

    expect(await digestsOfPostgres(database)).toEqual(after);
  });

  it('goes on from where it was interrupted, and nobody opens the database before it has ended', async () => {
    let slices = 0;
    const cut = moving((move) =>
      move.copy(() => {
        slices += 1;
        if (slices === 4) throw new Error('cut off');
      }),
    );
    await expect(cut).rejects.toThrow('cut off');

    await expect(openTarget()).rejects.toMatchObject({
      code: 'KIT_STORE_UNAVAILABLE',
      hint: expect.stringContaining('kit storage migrate'),
    });
    const plan = await moving((move) => move.plan());
    expect(plan.state).toBe('begun');
    expect(plan.tables.some(({ there, toCopy }) => there > 0 && toCopy === 0)).toBe(true);
    await copy();

    expect(await digestsOfPostgres(database)).toEqual(digestsOfSqlite(world.stateDir));
    await (await openTarget()).close();
  });

  it.each([
    [
      'rows of another store',
      'holds rows of another store: .*jobs 1',
      async () => {
        const stores = await openTarget();
        await stores.jobs.insert(newJob('0123456789ab'), 'queued', [startedEvent('e-1')]);
        await stores.close();
      },
    ],
    [
      'a row that somebody added since it was begun',
      'changed since.*jobs',
      async () => {
        await expect(
          moving((move) =>
            move.copy(({ table }) => {
              if (table === 'steps') throw new Error('cut');
            }),
          ),
        ).rejects.toThrow('cut');
        await database.query(
          'INSERT INTO kit.jobs SELECT (j).* FROM (SELECT jsonb_populate_record(j, \'{"ord": 99999, "id": "ffffffffffff"}\') AS j FROM kit.jobs AS j LIMIT 1) AS x',
        );
      },
    ],
    [
      'a migration from another store',
      'another store',
      async () => {
        const stores = await openTarget();
        await stores.close();
        await database.query("INSERT INTO kit.store_meta VALUES ('moving', '{}')");
      },
    ],
  ] as const)('is refused by a database that holds %s, and writes nothing', async (_, message, prepare) => {
    await prepare();
    const before = await digestsOfPostgres(database);

    const refusal = { code: 'KIT_MIGRATE_TARGET', message: expect.stringMatching(message) };
    await expect(moving((move) => move.plan())).rejects.toMatchObject(refusal);
    await expect(copy()).rejects.toMatchObject(refusal);

    expect(await digestsOfPostgres(database)).toEqual(before);
  });

  it('is refused where either side has a newer schema, while a run is executed, and without a store', async () => {
    await database.query(
      "CREATE SCHEMA kit; CREATE TABLE kit.store_meta (key text primary key, value text not null); INSERT INTO kit.store_meta VALUES ('schema_version', '999')",
    );
    await expect(moving((move) => move.plan())).rejects.toMatchObject({
      code: 'KIT_STORE_NEWER',
      message: expect.stringContaining('storage.runtime.url'),
    });
    await database.query('DROP SCHEMA kit CASCADE');

    const held = (await world.stores.jobs.list({ status: ['running'], limit: 100 })).map(({ id }) => id);
    const living = moving((move) => move.plan(), { now: '2026-01-02T03:04:06.000Z' });
    await expect(living).rejects.toMatchObject({
      code: 'KIT_MIGRATE_SOURCE',
      message: expect.stringContaining(held[0] ?? '?'),
    });

    const db = new Database(world.path);
    const setSchema = db.prepare("UPDATE store_meta SET value = ? WHERE key = 'schema_version'");
    setSchema.run('17');
    await expect(moving((move) => move.plan())).rejects.toThrow('does not say what its runs used');
    setSchema.run('999');
    db.close();
    await expect(moving((move) => move.plan())).rejects.toMatchObject({
      code: 'KIT_STORE_NEWER',
      message: expect.stringContaining(world.path),
    });
    rmSync(world.path);
    await expect(moving((move) => move.plan())).rejects.toMatchObject({ code: 'KIT_MIGRATE_SOURCE' });
    expect(await schemas()).toEqual([]);
  });

  it('names the table that differs afterwards, and the blob that is damaged before', async () => {
    const cut = moving((move) =>
      move.copy(({ doing }) => {
        if (doing === 'verify') throw new Error('cut');
      }),
    );
    await expect(cut).rejects.toThrow('cut');
    await database.query("UPDATE kit.jobs SET input = 'forged' WHERE ord = 3");

    await expect(copy()).rejects.toMatchObject({
      code: 'KIT_MIGRATE_MISMATCH',
      message: expect.stringContaining('jobs differs'),
    });
    await expect(openTarget()).rejects.toMatchObject({ code: 'KIT_STORE_UNAVAILABLE' });

    await database.query('DROP SCHEMA kit CASCADE');
    const { sha256 } = (await world.stores.artifacts.list({ limit: 1 }))[0] ?? expect.fail('no artifact');
    const path = join(world.stateDir, 'blobs', sha256.slice(0, 2), sha256);
    const bytes = readFileSync(path);
    writeFileSync(path, 'something else');
    await expect(copy()).rejects.toMatchObject({
      code: 'KIT_MIGRATE_SOURCE',
      message: expect.stringContaining(sha256),
    });
    writeFileSync(path, bytes);
    await copy();
  });

  it('notices that somebody goes on writing to the file, and goes on itself when it is called again', async () => {
    let isWritten = false;
    const copied = moving((move) =>
      move.copy(() => {
        if (isWritten) return;
        isWritten = true;
        const db = new Database(world.path, { timeout: 5000 });
        db.exec("INSERT INTO blob_candidates VALUES ('f', 'f')");
        db.close();
      }),
    );

    const hint = expect.stringMatching(/^(?!.*DROP).*migrate` again/);
    await expect(copied).rejects.toMatchObject({
      code: 'KIT_MIGRATE_MISMATCH',
      message: expect.stringContaining('written to while'),
      hint,
    });
    // As the hint says.
    await copy();
    expect(await digestsOfPostgres(database)).toEqual(digestsOfSqlite(world.stateDir));
  });
});
