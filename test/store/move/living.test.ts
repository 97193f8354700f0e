import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FORGET_MS } from '../../../src/app/fleet/heartbeat.js';
import { NO_FAULTS } from '../../../src/domain/faults.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { openPostgresStores } from '../../../src/store/postgres/open-postgres-stores.js';
import { ADVISORY_CLASS } from '../../../src/store/postgres/sql/session.js';
import { createDatabase, type TestDatabase } from '../../support/components/postgres.js';
import { fillStore } from '../../support/filled-store.js';
import { memberOf } from '../../support/fleet-samples.js';
import { digestsOfPostgres, digestsOfSqlite } from '../../support/moved-tables.js';
import { LATER, moving } from '../../support/moving.js';
import { placeOf } from '../../support/postgres-world.js';
import { claimOf, createIds, newJob, startedEvent } from '../../support/store-samples.js';
import { MANUAL_START_MS, openSqliteWorld, SILENT, type SqliteWorld } from '../../support/store-world.js';

const RUNS = 20;
const WORKER = memberOf({ id: 'box-7:4711:abc', kind: 'worker', hostname: 'box-7', pid: 4711 });
const NAMED = { kind: 'worker', id: WORKER.id, host: 'box-7', pid: 4711 };

describe('a move whose store somebody works on', () => {
  let world: SqliteWorld;
  let database: TestDatabase;
  const opened: Stores[] = [];
  beforeEach(async () => {
    [world, database] = await Promise.all([openSqliteWorld(), createDatabase()]);
    await fillStore({ stores: world.stores, ids: world.ids, runs: RUNS, endedAt: '2026-01-02T03:04:05.000Z' });
    await world.elapse(Date.parse(LATER) - MANUAL_START_MS);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((stores) => stores.close()));
    await world.dispose();
    await database.drop();
  });

  const openTarget = async (): Promise<Stores> => {
    const stores = await openPostgresStores({
      place: placeOf(database.url),
      poolSize: 2,
      maxOverflow: 2,
      ids: createIds(0xbb + opened.length),
      faults: NO_FAULTS,
      log: SILENT,
      parts: { busyLimitMs: 100 },
    });
    opened.push(stores);
    return stores;
  };
  const copy = (over = {}) => moving({ world, database }, (move) => move.copy(() => undefined), over);
  const plan = () => moving({ world, database }, (move) => move.plan());
  const isMoving = async (): Promise<boolean> =>
    (await database.query("SELECT 1 FROM kit.store_meta WHERE key = 'moving'")).length > 0;

  it('is refused while a worker lives on the target, by name, and goes on once it has left', async () => {
    const stores = await openTarget();
    await stores.serving.fleet.beat(WORKER, FORGET_MS);
    const refusal = {
      code: 'KIT_MIGRATE_TARGET',
      message: expect.stringContaining('worker box-7:4711:abc (pid 4711 on box-7)'),
      hint: expect.stringMatching(/^Stop it/),
      data: { members: [expect.objectContaining(NAMED)] },
    };

    await expect(plan()).rejects.toMatchObject(refusal);
    await expect(copy()).rejects.toMatchObject(refusal);

    expect(await isMoving()).toBe(false);
    await stores.serving.fleet.leave(WORKER.id);
    await copy();
    expect(await digestsOfPostgres(database)).toEqual(digestsOfSqlite(world.stateDir));
  });

  it('is not held up by a worker of the target that fell silent long ago', async () => {
    const stores = await openTarget();
    await stores.serving.fleet.beat(WORKER, FORGET_MS);
    await database.elapse(16_000);

    expect(await plan()).toMatchObject({ state: 'new' });
  });

  it('waits for a write of somebody else into the target, and looks again who lives there', async () => {
    const stores = await openTarget();
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query(`SELECT pg_advisory_lock_shared(${ADVISORY_CLASS}, 6)`);
    let waits = 0;
    const sleep = async (): Promise<void> => {
      waits += 1;
      if (waits > 1) return;
      await stores.serving.fleet.beat(WORKER, FORGET_MS);
      await other.end();
    };

    await expect(copy({ sleep })).rejects.toMatchObject({
      code: 'KIT_MIGRATE_TARGET',
      data: { members: [expect.objectContaining(NAMED)] },
    });

    expect(waits).toBeGreaterThan(0);
    expect(await isMoving()).toBe(false);
  });

  it('gives none of its runs to a process that had the target open before and nobody knew of, neither meanwhile nor afterwards', async () => {
    const stores = await openTarget();
    const ids = createIds(0xdd);
    const attempts = () =>
      Promise.allSettled([
        stores.jobs.claim(claimOf()),
        stores.jobs.insert(newJob('ffffffffffff'), 'queued', [startedEvent(ids.uuid())]),
        stores.serving.fleet.beat(WORKER, FORGET_MS),
      ]);
    const codes = async () =>
      (await attempts()).map((end) => (end.status === 'rejected' ? end.reason.code : end.value));
    let meanwhile: Promise<unknown> | undefined;
    await expect(
      moving({ world, database }, async (move) => {
        const copied = move.copy(({ table, doing }) => {
          if (table === 'jobs')
            meanwhile ??= stores.jobs.claim(claimOf()).catch((error: { readonly code: string }) => error.code);
          if (doing === 'verify') throw new Error('cut');
        });
        await copied.catch(() => undefined);
        // The lock of the move is still held; the runs are there.
        expect(await meanwhile).toBe('KIT_STORE_BUSY');
        await copied;
      }),
    ).rejects.toThrow('cut');

    const refused = ['KIT_STORE_UNAVAILABLE', 'KIT_STORE_UNAVAILABLE', 'KIT_STORE_UNAVAILABLE'];
    expect(await codes()).toEqual(refused);
    await expect(openTarget()).rejects.toMatchObject({ code: 'KIT_STORE_UNAVAILABLE' });
    await copy();
    expect(await codes()).toEqual(refused);
    await expect(stores.jobs.claim(claimOf())).rejects.toThrow('another store was moved into this database');

    expect(await digestsOfPostgres(database)).toEqual(digestsOfSqlite(world.stateDir));
    expect(await (await openTarget()).jobs.claim(claimOf())).not.toEqual([]);
  });

  it('is refused while a server lives on the source, by name, at the plan and right before it begins', async () => {
    const { fleet } = world.stores.serving;
    const refusal = {
      code: 'KIT_MIGRATE_SOURCE',
      message: expect.stringContaining('in use: server box-7:4711:abc (pid 4711 on box-7)'),
      data: { members: [expect.objectContaining({ ...NAMED, kind: 'server' })] },
    };
    await fleet.beat({ ...WORKER, kind: 'server' }, FORGET_MS);
    await expect(plan()).rejects.toMatchObject(refusal);
    await fleet.leave(WORKER.id);

    const begun = moving({ world, database }, async (move) => {
      await move.plan();
      await fleet.beat({ ...WORKER, kind: 'server' }, FORGET_MS);
      return move.copy(() => undefined);
    });

    await expect(begun).rejects.toMatchObject(refusal);
    expect(await database.query("SELECT 1 FROM pg_namespace WHERE nspname = 'kit'")).toEqual([]);
    await fleet.leave(WORKER.id);
    await copy();
  });
});
