import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ItemFilter } from '../../../src/domain/ports/reviews.js';
import { runNow } from '../../../src/store/program.js';
import { listItems } from '../../../src/store/reviews/review-programs.js';
import { NEWEST_ROUND, OPEN_GATES, WITHDRAW_GATES, WITHDRAW_ITEMS } from '../../../src/store/sql/reviews.js';
import { addFunctions } from '../../../src/store/sqlite/functions.js';
import { SQLITE_MIGRATIONS } from '../../../src/store/sqlite/migrations/index.js';
import { CREATE_META } from '../../../src/store/sqlite/sql/meta.js';
import {
  DECIDED_GATES,
  DECISIONS_OF_JOBS,
  DUE_TIMERS,
  DUE_TIMERS_OF_JOB,
  GATES_OF_JOBS,
  IS_SETTLED,
  ITEM_IDS,
  ITEMS_OF_JOBS,
  OF_ROLES,
  OF_TOPOLOGIES,
  REVIEWED_JOBS,
} from '../../../src/store/sqlite/sql/reviews.js';
import type { SqlParams } from '../../../src/store/sqlite/sql-runner.js';
import { fillSqlite, meanMs } from '../../support/many-gates.js';
import {
  approve,
  decisionOf,
  gateOf,
  nothing,
  openingOf,
  openWrite,
  parkWrite,
  taskOf,
} from '../../support/review-samples.js';
import { claimOf, fenceOf, newJob, resumedEvent } from '../../support/store-samples.js';
import { openSqliteWorld, type SqliteWorld } from '../../support/store-world.js';

const LIST_MS = 100;

describe('the tables of gates in SQLite', () => {
  let world: SqliteWorld;
  let db: Database.Database;
  beforeEach(async () => {
    world = await openSqliteWorld();
    db = new Database(world.path, { timeout: 1000 });
    addFunctions(db, 'write');
  });
  afterEach(async () => {
    db.close();
    await world.dispose();
  });

  it('keep every gate, item and decision, whoever asks, and let a decision change in its mark alone', async () => {
    const job = await world.stores.jobs.insert(newJob(world.ids.jobId()), 'pending', [], claimOf());
    const gate = gateOf(job.id);
    await world.stores.runs.commit(fenceOf(job), [openWrite(openingOf(gate))]);
    await world.stores.reviews.change(job.id, () => ({
      ...nothing(null),
      decisions: [decisionOf(taskOf(gate, 'qa'), 'd-1')],
    }));
    const dump = () =>
      ['gates', 'review_items', 'decisions'].map((table) => db.prepare(`SELECT * FROM ${table}`).all());
    const before = dump();

    for (const table of ['gates', 'review_items', 'decisions']) {
      expect(() => db.exec(`DELETE FROM ${table}`), table).toThrow(/never deleted|append-only/);
      expect(() => db.exec(`INSERT OR REPLACE INTO ${table} SELECT * FROM ${table}`), table).toThrow(
        /never replaced|append-only/,
      );
    }
    const columns = db.prepare('SELECT * FROM decisions').columns();
    for (const { name } of columns) {
      if (name !== 'stale')
        expect(() => db.exec(`UPDATE decisions SET ${name} = ${name}`), name).toThrow('append-only');
    }
    expect(dump()).toEqual(before);
    db.exec('UPDATE decisions SET stale = 1');
  });

  it('hold one task for each rule, role and round of a gate', async () => {
    const job = await world.stores.jobs.insert(newJob(world.ids.jobId()), 'pending', [], claimOf());
    const gate = gateOf(job.id);
    const [task] = openingOf(gate).items;
    if (task === undefined) throw new Error('no task');

    const twice = openWrite({ gate, items: [task, { ...task, id: 'another' }], carried: [] });
    await expect(world.stores.runs.commit(fenceOf(job), [twice])).rejects.toThrow('UNIQUE');

    expect(await world.stores.reviews.gate(gate.gateId)).toBeNull();
  });

  it('are read by index, with many thousand gates in them', async () => {
    fillSqlite(db, { open: 10_000, decided: 10_000 });
    const none: SqlParams = {};
    const statements: readonly (readonly [string, string])[] = [
      [OPEN_GATES, 'gates_open'],
      [DECIDED_GATES, 'gates_decided'],
      [NEWEST_ROUND, 'sqlite_autoindex_gates_1'],
      [GATES_OF_JOBS, 'gates_by_job'],
      [ITEMS_OF_JOBS, 'items_by_job'],
      [DECISIONS_OF_JOBS, 'decisions_by_job'],
      [REVIEWED_JOBS, 'sqlite_autoindex_jobs_1'],
      [IS_SETTLED, 'sqlite_autoindex_gates_1'],
      [ITEM_IDS, 'sqlite_autoindex_review_items_1'],
      [DUE_TIMERS, 'timers_due'],
      [DUE_TIMERS_OF_JOB, 'sqlite_autoindex_timers_1'],
      [WITHDRAW_GATES, 'gates_by_job'],
      [WITHDRAW_ITEMS, 'items_by_job'],
      ...listTexts({ show: 'pending', limit: 100 }).map((sql) => [sql, 'items_open'] as const),
      ...listTexts({ show: 'pending', limit: 100, kind: 'role_task' }).map((sql) => [sql, 'items_open'] as const),
      ...listTexts({ show: 'pending', limit: 100, roles: ['qa'], afterId: 'x' }).map(
        (sql) => [sql, 'items_open'] as const,
      ),
      ...listTexts({ show: 'pending', limit: 100, gateId: 'g' }).map((sql) => [sql, 'items_'] as const),
      ...listTexts({ show: 'pending', limit: 100, jobId: 'j' }).map((sql) => [sql, 'items_by_job'] as const),
      ...listTexts({ show: 'all', limit: 100, gateId: 'g' }).map((sql) => [sql, 'items_by_task'] as const),
    ];
    for (const [sql, index] of statements) {
      const names = [...sql.matchAll(/@(\w+)/g)].map((match) => match[1] ?? '');
      const plan = db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all({ ...none, ...Object.fromEntries(names.map((name) => [name, '1'])) }) as {
        detail: string;
      }[];
      const details = plan.map((step) => step.detail);
      expect(details.join('\n'), sql).toContain(index);
      expect(
        details.filter((detail) => /^SCAN (?!w\b|json_each)\w+$/.test(detail)),
        sql,
      ).toEqual([]);
    }
  });

  it('are read by the jobs of a list, however few there are', () => {
    fillSqlite(db, { open: 40, decided: 40 });
    db.exec('ANALYZE');
    for (const [sql, index] of [
      [GATES_OF_JOBS, 'gates_by_job'],
      [ITEMS_OF_JOBS, 'items_by_job'],
      [DECISIONS_OF_JOBS, 'decisions_by_job'],
    ] as const) {
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all({ jobIds: '["a"]' }) as { detail: string }[];
      expect(plan.map(({ detail }) => detail).join('\n')).toContain(`USING INDEX ${index} (job_id=?)`);
    }
  });

  it('list ten thousand open gates and their tasks without looking at what is decided', async () => {
    fillSqlite(db, { open: 10_000, decided: 10_000 });
    const { reviews } = world.stores;

    expect(await reviews.openGates({ limit: 20_000 })).toHaveLength(10_000);
    expect(await reviews.items({ show: 'pending', limit: 1, roles: ['qa'] })).toMatchObject({
      total: 10_000,
      hasMore: true,
    });
    const figures = {
      'gates, a page of 100': await meanMs(20, () => reviews.openGates({ limit: 100 })),
      'gates, all 10,000': await meanMs(3, () => reviews.openGates({ limit: 10_000 })),
      'items, a page of 100 and the count': await meanMs(20, () => reviews.items({ show: 'pending', limit: 100 })),
      'items of one role, a page of 100 and the count': await meanMs(20, () =>
        reviews.items({ show: 'pending', limit: 100, roles: ['qa'] }),
      ),
      'items, all 20,000': await meanMs(3, () => reviews.items({ show: 'pending', limit: 20_000 })),
      'ids by their beginning': await meanMs(20, () => reviews.itemIds('mpa-job-77', 10)),
      'deadlines, 100 of 1,000': await meanMs(20, () => reviews.dueTimers(100)),
    };
    for (const [what, ms] of Object.entries(figures))
      console.log(`10,000 open gates on SQLite, ${what}: ${ms.toFixed(1)} ms (goal ${LIST_MS} ms)`);
  });
});

describe('a SQLite store that version 2 has written', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'kit-version-2-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('keeps its rows, gets the tables of gates, and its runs go on', async () => {
    const stateDir = join(root, '.kit');
    await mkdir(stateDir);
    const old = new Database(join(stateDir, 'store.sqlite'));
    old.pragma('journal_mode = WAL');
    old.exec(`${CREATE_META}; ${SQLITE_MIGRATIONS[1]}; ${SQLITE_MIGRATIONS[2]}`);
    old.exec(`
      INSERT INTO store_meta VALUES ('schema_version', '2'), ('log_id', 'the-log'), ('cursor_key', '${'ab'.repeat(32)}');
      INSERT INTO jobs (id, status, waiting_status, topology, input, labels, source, submitted_by, submitted_assurance, attempt, crashes, job_class, priority, engine, needs, snapshot, recover, waiting_on, auto_resume, executed_ms, attachments, created_at, parked_at)
      VALUES ('0123456789ab', 'stopped', 'queued', 't', 'x', '{}', 'cli', 'ada', 'asserted', 1, 0, 'model', 0, 1, '{"plugins":{},"adapters":{}}', 's', 'auto', '[]', 1, 7, '[]', '2025', '2025');
      INSERT INTO steps (job_id, key, kind, identity, effects, on_in_doubt, attempt, step_id, notes, units, started_at) VALUES ('0123456789ab', 'root', 'activation', 'i', 'none', 'repeat', 1, 's', '{}', 0, '2025');
      INSERT INTO events (job_id, seq, event_id, type, timestamp, topology_id, payload, labels, prev_hash, hash) VALUES ('0123456789ab', 1, 'e-1', 'run.stopped', '2025', 't', '{"at":"2025","requested_by":"ada"}', '{}', '', 'h');`);
    const rowsOf = (table: string): unknown[] => old.prepare(`SELECT * FROM ${table}`).all();
    const before = ['jobs', 'steps', 'events'].map(rowsOf);

    const world = await openSqliteWorld({ stateDir });
    // Later versions add columns.
    expect(['jobs', 'steps', 'events'].map(rowsOf)).toMatchObject(before);
    expect(old.prepare("SELECT value FROM store_meta WHERE key = 'log_id'").pluck().get()).toBe('the-log');
    expect(await world.stores.reviews.state('0123456789ab')).toMatchObject({
      job: { status: 'stopped', topologyId: 't' },
      gates: [],
      items: [],
    });
    const job = await world.stores.jobs.resume('0123456789ab', resumedEvent('e-2'), claimOf());
    const gate = gateOf(job.id);
    await world.stores.runs.commit(fenceOf(job), [openWrite(openingOf(gate, ['qa'])), parkWrite([gate.gateId], 'e-3')]);
    const changed = await world.stores.reviews.change(
      job.id,
      approve({ itemId: taskOf(gate, 'qa').id, by: 'qa-1', ids: world.ids }),
    );

    expect(changed.job.status).toBe('queued');
    expect((await world.stores.events.readRun(job.id, 0, 10)).map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'run.stopped'],
      [2, 'run.resumed'],
      [3, 'run.parked'],
      [4, 'approval.gate_resolved'],
      [5, 'run.resumed'],
    ]);
    old.close();
    await world.dispose();
  });
});

/** The statements that a list runs, but for the look-up of its place. */
function listTexts(filter: ItemFilter): readonly string[] {
  const texts: string[] = [];
  const record = (sql: string): void => {
    if (!sql.includes('WHERE id = @id')) texts.push(sql);
  };
  const sql = {
    get: (text: string) => {
      record(text);
      return { ord: 1 };
    },
    all: (text: string) => {
      record(text);
      return [];
    },
  };
  runNow(sql, listItems({ OF_ROLES, OF_TOPOLOGIES }, filter));
  return texts;
}
