import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../src/store/migrations.js';
import { SQLITE_MIGRATIONS } from '../../../src/store/sqlite/migrations/index.js';
import { CREATE_META } from '../../../src/store/sqlite/sql/meta.js';
import { committed } from '../../support/committed.js';
import { openOldStore } from '../../support/old-store.js';
import { messageEvent, startWrite, stepOf } from '../../support/store-samples.js';
import { openSqliteWorld } from '../../support/store-world.js';

const NEW_COLUMNS: Readonly<Record<string, readonly string[]>> = { steps: ['run'], events: ['run'] };

describe('a SQLite store of an earlier version', () => {
  let root: string;
  let stateDir: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'kit-migrate-'));
    stateDir = join(root, '.kit');
    await mkdir(stateDir, { mode: 0o700 });
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  /**
   * The file as the build before migration `until` left it, with a running job, a step in doubt, a
   * result and events of all kinds.
   */
  function writeOld(until: number): Database.Database {
    const db = openOldStore(join(stateDir, 'store.sqlite'), until);
    db.exec(`
      INSERT INTO jobs (id, status, waiting_status, topology, input, labels, source, submitted_by, submitted_assurance, worker_id, attempt, crashes, job_class,
        priority, engine, needs, snapshot, recover, waiting_on, auto_resume, executed_ms, attachments, created_at)
      SELECT id, 'running', 'pending', 't', '', '{}', 'cli', 'a', 'asserted', 'w1', 1, 0, 'model', 0, 1, '{"plugins":{},"adapters":{}}', '', 'auto', '[]', 1, 0, '[]', '2026'
      FROM (SELECT 'b00000000000' AS id UNION ALL SELECT 'a00000000000');
      INSERT INTO steps (job_id, key, kind, identity, effects, on_in_doubt, attempt, step_id, outcome, notes, units, agent_id, started_at)
      VALUES ('a00000000000', 'root', 'activation', 'i', 'none', 'repeat', 1, 's1', NULL, '{"a":1}', 0, 'lead', '2026'),
             ('a00000000000', 'root/d0/t0', 'model', 'i', 'read', 'repeat', 2, 's2', '{"status":"ok","value":1}', '{}', 1, 'lead', '2026');
      INSERT INTO events (job_id, seq, event_id, type, timestamp, topology_id, payload, labels, prev_hash, hash)
      VALUES ('b00000000000', 1, 'e-1', 'run.started', '2026', 't', '{}', '{}', '', 'h1'),
             ('', 1, 'e-2', 'input.rejected', '2026', 't', '{"errors":[]}', '{}', '', 'h2'),
             ('a00000000000', 1, 'e-3', 'run.started', '2026', 't', '{}', '{"x":"y"}', '', 'h3'),
             ('a00000000000', 2, 'e-4', 'agent.started', '2026', 't', '{}', '{"x":"y"}', 'h3', 'h4');`);
    return db;
  }

  it('keeps every row of the journal and the log, and goes on from them', async () => {
    const old = writeOld(4);
    const [steps, events] = ['steps', 'events'].map(
      (table) => old.prepare(`SELECT * FROM ${table} ORDER BY 1`).all() as object[],
    );
    old.close();

    const world = await openSqliteWorld({ stateDir });
    const fence = { jobId: 'a00000000000', workerId: 'w1', attempt: 1 };
    const [stored] = await committed(world.stores, fence, [
      startWrite(stepOf(fence.jobId, 'next'), [messageEvent('e-5', 'x')]),
    ]);
    const all = (await world.stores.events.read({ limit: 10 })).events;

    expect(stored).toMatchObject({ seq: 3, prevHash: 'h4', pos: 5 });
    expect(all.map(({ pos, jobId, seq, eventId, hash }) => [pos, jobId, seq, eventId, hash]).slice(0, 4)).toEqual([
      [1, 'b00000000000', 1, 'e-1', 'h1'],
      [2, '', 1, 'e-2', 'h2'],
      [3, 'a00000000000', 1, 'e-3', 'h3'],
      [4, 'a00000000000', 2, 'e-4', 'h4'],
    ]);
    expect(
      (await world.stores.runs.load(fence.jobId)).map((row) => [row.key, row.attempt, row.outcome, row.notes]),
    ).toEqual([
      ['root', 1, null, { a: 1 }],
      ['root/d0/t0', 2, { status: 'ok', value: 1 }, {}],
      ['next', 1, null, {}],
    ]);
    await world.dispose();

    const now = new Database(join(stateDir, 'store.sqlite'), { readonly: true });
    expect(now.prepare("SELECT * FROM steps WHERE key <> 'next' ORDER BY 1").all()).toMatchObject(steps ?? []);
    expect(now.prepare("SELECT * FROM events WHERE event_id <> 'e-5' ORDER BY 1").all()).toMatchObject(events ?? []);
    expect(now.pragma('foreign_key_check')).toEqual([]);
    now.close();
  });

  it('loses no column to a migration that rebuilds a table', () => {
    const db = new Database(':memory:');
    const columns = (table: string): string[] =>
      (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
    for (const { number } of MIGRATIONS) {
      const before = ['steps', 'events'].map((table) => [table, columns(table)] as const);
      db.exec(SQLITE_MIGRATIONS[number]);
      for (const [table, names] of before) {
        expect(
          columns(table).filter((name) => !NEW_COLUMNS[table]?.includes(name)),
          `${table}, migration ${number}`,
        ).toEqual(expect.arrayContaining(names.filter((name) => !NEW_COLUMNS[table]?.includes(name))));
      }
    }
    db.close();
  });
});

it('who asked for a run is kept apart from what a run goes on from', () => {
  const db = new Database(':memory:');
  db.exec(CREATE_META);
  for (const { number } of MIGRATIONS) if (number < 12) db.exec(SQLITE_MIGRATIONS[number]);
  for (const [id, source, parent] of [
    ['a', 'agent', 'b'],
    ['b', 'cli', 'c'],
    ['d', 'serve', null],
  ]) {
    db.prepare(`
      INSERT INTO jobs (id, status, waiting_status, topology, input, labels, source, parent_job_id, submitted_by, submitted_assurance, attempt, crashes, job_class,
        priority, engine, needs, snapshot, recover, waiting_on, auto_resume, executed_ms, attachments, created_at)
      VALUES (?, 'completed', 'pending', 't', '', '{}', ?, ?, 'a', 'asserted', 1, 0, 'model', 0, 1, '{}', '', 'auto', '[]', 1, 0, '[]', '2026')`).run(
      id,
      source,
      parent,
    );
  }

  db.exec(SQLITE_MIGRATIONS[12]);

  expect(db.prepare('SELECT id, parent_job_id, caller_job_id FROM jobs ORDER BY id').raw().all()).toEqual([
    ['a', null, 'b'],
    ['b', 'c', null],
    ['d', null, null],
  ]);
  db.close();
});

it('an empty store gets what all migrations leave, and no row beside', async () => {
  const stepwise = new Database(':memory:');
  stepwise.exec(CREATE_META);
  for (const { number } of MIGRATIONS) stepwise.exec(SQLITE_MIGRATIONS[number]);
  const world = await openSqliteWorld();
  const atOnce = new Database(world.path, { readonly: true });
  // SQLite keeps its own table of counters once any table had one.
  const objects = (db: Database.Database): unknown[] =>
    db
      .prepare(
        "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name <> 'sqlite_sequence' ORDER BY type, name",
      )
      .all();

  expect(objects(atOnce)).toEqual(objects(stepwise));
  const tables = stepwise.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  for (const table of tables) expect(stepwise.prepare(`SELECT * FROM "${table}"`).all(), `${table}`).toEqual([]);

  stepwise.close();
  atOnce.close();
  await world.dispose();
});
