import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../../src/domain/faults.js';
import type { ItemFilter } from '../../../src/domain/ports/reviews.js';
import { POSTGRES_MIGRATIONS } from '../../../src/store/postgres/migrations/index.js';
import { openPostgresStores } from '../../../src/store/postgres/open-postgres-stores.js';
import { CREATE_META, createSchemaOf } from '../../../src/store/postgres/sql/meta.js';
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
  WITHDRAW_REVIEWS,
} from '../../../src/store/postgres/sql/reviews.js';
import { runNow } from '../../../src/store/program.js';
import { listItems } from '../../../src/store/reviews/review-programs.js';
import { NEWEST_ROUND, OPEN_GATES } from '../../../src/store/sql/reviews.js';
import { createDatabase, type TestDatabase, withClient } from '../../support/components/postgres.js';
import { fillGates, meanMs } from '../../support/many-gates.js';
import { openPostgresProcesses } from '../../support/postgres-processes.js';
import { openPostgresWorld, type PostgresWorld, placeOf } from '../../support/postgres-world.js';
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
import { claimOf, createIds, fenceOf, newJob, resumedEvent } from '../../support/store-samples.js';
import { SILENT } from '../../support/store-world.js';

const LIST_MS = 100;

/** What later versions added to a job. */
const ADDED = { trace_parent: null, earlier_submitters: '[]', ungated: '[]', figures: null, caller_job_id: null };

describe('the tables of gates in PostgreSQL', () => {
  let world: PostgresWorld;
  beforeEach(async () => {
    world = await openPostgresWorld();
  });
  afterEach(() => world.dispose());

  it('keep every gate, item and decision, TRUNCATE and a session that plays replica included, and let a decision change in its mark alone', async () => {
    const job = await world.stores.jobs.insert(newJob(world.ids.jobId()), 'pending', [], claimOf());
    const gate = gateOf(job.id);
    await world.stores.runs.commit(fenceOf(job), [openWrite(openingOf(gate))]);
    await world.stores.reviews.change(job.id, () => ({
      ...nothing(null),
      decisions: [decisionOf(taskOf(gate, 'qa'), 'd-1')],
    }));
    const before = await world.stores.reviews.state(job.id);

    const tables = ['gates', 'review_items', 'decisions'];
    const removals = tables.flatMap((table) => [`DELETE FROM kit.${table}`, `TRUNCATE kit.${table} CASCADE`]);
    const rewrites = ["comment = 'x'", "outcome = 'reject'", 'signature = NULL', "sha256 = ''", 'stale = 1, round = 7'];
    for (const sql of [...removals, ...rewrites.map((set) => `UPDATE kit.decisions SET ${set}`)]) {
      for (const role of ['origin', 'replica']) {
        const change = withClient(world.database.url, async (client) => {
          await client.query(`SET session_replication_role = ${role}`);
          await client.query(sql);
        });
        await expect(change, `${sql} as ${role}`).rejects.toThrow(
          /never deleted|append-only|violates foreign key constraint/,
        );
      }
    }

    expect(await world.stores.reviews.state(job.id)).toEqual(before);
    await world.database.query('UPDATE kit.decisions SET stale = 1');
  });

  it('are read by index, with many thousand gates in them, and list ten thousand of them in time', async () => {
    await fill(world.database);
    const statements: readonly (readonly [string, string])[] = [
      [OPEN_GATES, 'gates_open'],
      [DECIDED_GATES, 'gates_decided'],
      [NEWEST_ROUND, 'gates_gate_id_round_key'],
      [GATES_OF_JOBS, 'gates_by_job'],
      [ITEMS_OF_JOBS, 'items_by_job'],
      [DECISIONS_OF_JOBS, 'decisions_by_job'],
      [REVIEWED_JOBS, 'jobs_id_key'],
      [IS_SETTLED, 'gates_gate_id_round_key'],
      [ITEM_IDS, 'review_items_id_key'],
      [DUE_TIMERS, 'timers_due'],
      [DUE_TIMERS_OF_JOB, 'timers_pkey'],
      [WITHDRAW_REVIEWS, 'gates_by_job'],
      [WITHDRAW_REVIEWS, 'items_by_job'],
      ...listTexts({ show: 'pending', limit: 100, gateId: 'g' }).map((sql) => [sql, 'items_by_task'] as const),
      ...listTexts({ show: 'pending', limit: 100, jobId: 'j' }).map((sql) => [sql, 'items_by_job'] as const),
    ];
    for (const [sql, index] of statements) {
      const plan = await planOf(world.database, sql);
      expect(plan, sql).toContain(index);
      expect(plan, sql).not.toMatch(/Seq Scan on (jobs|events|gates|review_items|decisions|timers)/);
    }
    const open = [{}, { kind: 'role_task' }, { roles: ['qa'], afterId: 'x' }] as const;
    const openTexts = (
      await Promise.all(open.map((over) => listTexts({ show: 'pending', limit: 100, ...over })))
    ).flat();
    for (const sql of openTexts) expect(await planOf(world.database, sql), sql).not.toContain('Seq Scan');
    const { reviews } = world.stores;
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
      'deadlines, 100 of 1,000': await meanMs(20, () => reviews.dueTimers(100)),
    };
    for (const [what, ms] of Object.entries(figures))
      console.log(`10,000 open gates on PostgreSQL, ${what}: ${ms.toFixed(1)} ms (goal ${LIST_MS} ms)`);

    // Where most is decided, nothing of it is passed over.
    await world.database.query("UPDATE kit.review_items SET status = 'approved' WHERE ord % 50 <> 0");
    await world.database.query('VACUUM (ANALYZE) kit.review_items');
    for (const sql of openTexts) expect(await planOf(world.database, sql), sql).toContain('items_open');
  });
});

describe('decisions of several processes', () => {
  const processes = openPostgresProcesses();

  it('are judged by the clock after the wait for the job, on what the other one left', async () => {
    const job = await processes.running();
    const gate = gateOf(job.id);
    await processes.world.stores.runs.commit(fenceOf(job), [openWrite(openingOf(gate, ['qa']))]);
    const other = await processes.another();

    const late = await withClient(processes.world.database.url, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM kit.jobs WHERE id = $1 FOR NO KEY UPDATE', [job.id]);
      const change = other.reviews.change(job.id, (state) => nothing(state));
      const waiting =
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kit' AND wait_event_type = 'Lock'";
      await expect.poll(() => processes.world.database.query(waiting), { interval: 10 }).toHaveLength(1);
      await processes.world.elapse(90_000);
      await client.query("UPDATE kit.gates SET status = 'rejected' WHERE job_id = $1", [job.id]);
      await client.query('COMMIT');
      return change;
    });

    expect(late.result.now).toBe('2026-01-02T03:05:35.000Z');
    expect(late.result.gates).toMatchObject([{ status: 'rejected' }]);
  });

  it('and the park of their run wake it once, wherever they meet', async () => {
    const others = [processes.world.stores, await processes.another(), await processes.another()];
    const { ids } = processes.world;
    let parked = 0;
    for (let round = 0; round < 20; round++) {
      const job = await processes.running();
      const gate = gateOf(job.id);
      await processes.world.stores.runs.commit(fenceOf(job), [openWrite(openingOf(gate))]);

      await Promise.all([
        others[round % 3]?.runs.commit(fenceOf(job), [parkWrite([gate.gateId], ids.uuid())]),
        others[(round + 1) % 3]?.reviews.change(job.id, approve({ itemId: taskOf(gate, 'qa').id, by: 'qa-1', ids })),
        others[(round + 2) % 3]?.reviews.change(job.id, approve({ itemId: taskOf(gate, 'ops').id, by: 'ops-1', ids })),
      ]);

      const types = (await processes.world.stores.events.readRun(job.id, 0, 100)).map((event) => event.type);
      const isParked = types.includes('run.parked');
      parked += isParked ? 1 : 0;
      expect(types.filter((type) => type === 'run.resumed')).toHaveLength(isParked ? 1 : 0);
      expect((await processes.world.stores.jobs.get(job.id))?.status).toBe(isParked ? 'pending' : 'running');
    }
    console.log(`park and two decisions of three processes on PostgreSQL: parked in ${parked} of 20`);
  });
});

describe('a PostgreSQL store that version 2 has written', () => {
  it('keeps its rows, gets the tables of gates, and its runs go on', async () => {
    const database = await createDatabase();
    await database.query(
      `${createSchemaOf('kit')}; SET search_path = kit; ${CREATE_META}; ${POSTGRES_MIGRATIONS[1]}; ${POSTGRES_MIGRATIONS[2]}`,
    );
    await database.query(`
      INSERT INTO kit.store_meta VALUES ('schema_version', '2'), ('log_id', 'the-log'), ('cursor_key', '${'ab'.repeat(32)}');
      INSERT INTO kit.jobs (id, status, waiting_status, topology, input, labels, source, submitted_by, submitted_assurance, attempt, crashes, job_class, priority, engine, needs, snapshot, recover, waiting_on, auto_resume, executed_ms, attachments, created_at, parked_at)
      VALUES ('0123456789ab', 'stopped', 'queued', 't', 'x', '{}', 'cli', 'ada', 'asserted', 1, 0, 'model', 0, 1, '{"plugins":{},"adapters":{}}', 's', 'auto', '[]', 1, 7, '[]', '2025', '2025');
      INSERT INTO kit.events (job_id, seq, event_id, type, timestamp, topology_id, payload, labels, prev_hash, hash) VALUES ('0123456789ab', 1, 'e-1', 'run.stopped', '2025', 't', '{"at":"2025","requested_by":"ada"}', '{}', '', 'h');`);
    const rows = async () => [
      await database.query('SELECT * FROM kit.jobs'),
      await database.query('SELECT * FROM kit.events'),
    ];
    const before = await rows();

    const stores = await openPostgresStores({
      place: placeOf(database.url),
      poolSize: 1,
      maxOverflow: 1,
      ids: createIds(1),
      faults: NO_FAULTS,
      log: SILENT,
    });
    const [jobs = [], events = []] = before;
    expect(await rows()).toEqual([jobs.map((job) => ({ ...job, ...ADDED, submitted_name: null })), events]);
    const job = await stores.jobs.resume('0123456789ab', resumedEvent('e-2'), claimOf());
    const gate = gateOf(job.id);
    await stores.runs.commit(fenceOf(job), [openWrite(openingOf(gate, ['qa'])), parkWrite([gate.gateId], 'e-3')]);
    const changed = await stores.reviews.change(
      job.id,
      approve({ itemId: taskOf(gate, 'qa').id, by: 'qa-1', ids: createIds(2) }),
    );

    expect(changed.job.status).toBe('queued');
    expect(changed.events.map(({ seq, type }) => [seq, type])).toEqual([
      [4, 'approval.gate_resolved'],
      [5, 'run.resumed'],
    ]);
    await stores.close();
    await database.drop();
  });
});

async function fill(database: TestDatabase): Promise<void> {
  const numbers = (upTo: number): string => `generate_series(1, ${upTo}) AS i`;
  for (const sql of fillGates({ open: 10_000, decided: 10_000 }, numbers))
    await database.query(`SET search_path = kit; ${sql}`);
  await database.query('VACUUM (ANALYZE) kit.jobs, kit.gates, kit.review_items, kit.decisions, kit.timers, kit.events');
}

async function planOf(database: TestDatabase, sql: string): Promise<string> {
  const names: string[] = [];
  const text = sql.replace(/@(\w+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  const rows = await database.query<{ 'QUERY PLAN': string }>(`SET search_path = kit; EXPLAIN (GENERIC_PLAN) ${text}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

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
