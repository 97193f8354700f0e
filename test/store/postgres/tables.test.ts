import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  LAST_OF_RUN,
  LAST_OF_RUNS,
  NEWEST,
  NEWEST_OF_RUN,
  NEWEST_OF_TYPES,
  READ_RUN,
  READ_TYPES,
} from '../../../src/store/postgres/sql/events.js';
import {
  CLAIM_JOB,
  CLAIM_JOBS,
  HOLD_JOBS,
  LIST_CONDITIONS,
  LOOK,
  NEEDS_OF_WAITING,
  OF_STATUS,
  OVERDUE_JOBS,
  WAITING_NEEDS,
} from '../../../src/store/postgres/sql/jobs.js';
import { SAMPLES } from '../../../src/store/postgres/sql/queue.js';
import { DROP_CANDIDATES, JOBS_TO_PRUNE, NAMED_OF, REMOVE_BLOBS } from '../../../src/store/postgres/sql/retention.js';
import { COUNT_WAITING, WAITING_KINDS } from '../../../src/store/postgres/sql/waiting.js';
import { fromStoredText, toStoredText } from '../../../src/store/postgres/text-codec.js';
import { ARTIFACTS_BY_DIGEST, LIST_ARTIFACTS, NEWEST_ARTIFACT } from '../../../src/store/sql/artifacts.js';
import { LOG_END } from '../../../src/store/sql/events.js';
import { listJobs } from '../../../src/store/sql/jobs.js';
import { type TestDatabase, withClient } from '../../support/components/postgres.js';
import { openPostgresWorld, type PostgresWorld } from '../../support/postgres-world.js';
import {
  claimOf,
  endedEvent,
  fenceOf,
  messageEvent,
  newJob,
  runEndWrite,
  startedEvent,
} from '../../support/store-samples.js';

describe('the tables of a PostgreSQL store', () => {
  let world: PostgresWorld;
  beforeEach(async () => {
    world = await openPostgresWorld();
  });
  afterEach(() => world.dispose());

  it('refuse every change of a written event, TRUNCATE and a session that plays replica included', async () => {
    const events = [startedEvent('e-1'), messageEvent('e-2', 'x')];
    await world.stores.jobs.insert(newJob(world.ids.jobId()), 'pending', events);
    const before = await world.database.query('SELECT * FROM kit.events ORDER BY pos');

    for (const sql of [
      "UPDATE kit.events SET payload = '{}'",
      'DELETE FROM kit.events',
      'TRUNCATE kit.events',
      'TRUNCATE kit.events CASCADE',
    ]) {
      for (const role of ['origin', 'replica']) {
        const change = withClient(world.database.url, async (client) => {
          await client.query(`SET session_replication_role = ${role}`);
          await client.query(sql);
        });
        await expect(change, `${sql} as ${role}`).rejects.toThrow('append-only');
      }
    }

    expect(await world.database.query('SELECT * FROM kit.events ORDER BY pos')).toEqual(before);
  });

  it('let rows of a run go through one entry point, which opens for who tells the truth about a run that is over', async () => {
    const { database } = world;
    const job = await world.stores.jobs.insert(newJob(world.ids.jobId()), 'pending', [startedEvent('e-1')], claimOf());
    const last = { seq: 1, hash: '', pos: 1, count: 1 };
    const record = (over: Partial<typeof last> = {}) => {
      const { seq, hash, pos, count } = { ...last, ...over };
      return database.query(
        "INSERT INTO kit.pruned_runs VALUES ($1, 't', 'completed', $2, $3, $4, $5, '2026', '2026', 'd', 0, 0)",
        [job.id, seq, hash, pos, count],
      );
    };
    const change = (sql: string) =>
      withClient(database.url, async (client) => {
        await client.query('SET search_path = kit; SET session_replication_role = replica');
        await client.query(sql);
      });
    // The triggers look for their tables where kit does.
    await database.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET search_path = kit`);
    await expect(record()).rejects.toThrow('when it is over');
    await world.stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent('e-2')])]);
    const [end] = await database.query<{ seq: number; hash: string; pos: number }>(
      'SELECT seq, hash, pos FROM events ORDER BY seq DESC LIMIT 1',
    );
    Object.assign(last, end, { count: 2 });

    for (const lie of [{ hash: 'f'.repeat(64) }, { seq: 1 }, { count: 1 }, { pos: 1 }]) {
      await expect(record(lie), JSON.stringify(lie)).rejects.toThrow('keeps what it held');
    }
    await record();
    for (const [sql, says] of [
      ['DELETE FROM events', 'append-only'],
      ["UPDATE pruned_runs SET last_hash = ''", 'never changed'],
      ['DELETE FROM pruned_runs', 'never changed'],
      ['TRUNCATE pruned_runs', 'never changed'],
    ] as const) {
      await expect(change(sql), sql).rejects.toThrow(says);
    }
    await change(
      'UPDATE pruned_runs SET is_open = 1; DELETE FROM events; UPDATE pruned_runs SET is_open = 0, is_done = 1',
    );
    await expect(change('UPDATE pruned_runs SET is_open = 1, is_done = 0')).rejects.toThrow('never changed');
  });

  it('refuse every change of a line of the access log, and its removal before its time', async () => {
    const { serving } = world.stores;
    const entry = { clientId: 'ada', provider: 'none', method: 'GET', route: '/jobs', status: 200, requestId: 'r' };
    await serving.recordAccess([entry]);
    await world.elapse(364 * 24 * 3_600_000);
    await serving.recordAccess([entry]);
    const lines = await serving.access(10);

    for (const sql of [
      "UPDATE kit.serve_access SET client_id = 'nobody'",
      'DELETE FROM kit.serve_access',
      'DELETE FROM kit.serve_access WHERE ord = 1',
      'TRUNCATE kit.serve_access',
    ]) {
      for (const role of ['origin', 'replica']) {
        const change = withClient(world.database.url, async (client) => {
          await client.query(`SET session_replication_role = ${role}`);
          await client.query(sql);
        });
        await expect(change, `${sql} as ${role}`).rejects.toThrow('append-only');
      }
    }

    expect(await serving.access(10)).toEqual(lines);
  });

  it('let a run that waits for a date be claimed when it is due, once', async () => {
    const id = world.ids.jobId();
    await world.stores.jobs.insert(newJob(id), 'pending', []);
    await world.database.query("UPDATE kit.jobs SET status = 'running', wake_at = '2026-01-02T03:05:00.000Z'");
    expect(await world.stores.jobs.claim(claimOf())).toEqual([]);

    await world.elapse(60_000);

    expect(await world.stores.jobs.claim(claimOf())).toMatchObject([
      { id, status: 'running', workerId: 'w1', wakeAt: null, attempt: 1 },
    ]);
    expect(await world.stores.jobs.claim(claimOf({ workerId: 'w2' }))).toEqual([]);
  });

  it('notice that the bytes of an artifact were altered', async () => {
    const { artifacts } = world.stores;
    const { sha256 } = await artifacts.put({
      correlation: 'c',
      runId: 'r',
      name: 'n',
      mediaType: 'text/plain',
      bytes: Buffer.from('reviewed'),
    });

    await world.database.query("UPDATE kit.blobs SET bytes = 'replaced'");
    await expect(artifacts.read(sha256)).rejects.toMatchObject({ code: 'KIT_ARTIFACT_CORRUPT', data: { sha256 } });
    await world.database.query('DELETE FROM kit.blobs');
    expect(await artifacts.read(sha256)).toBeNull();
  });

  it('are read by index, with many thousand rows in them', async () => {
    await fill(world.database);
    const planOf = async (sql: string): Promise<string> => {
      const names = [...new Set([...sql.matchAll(/@(\w+)/g)].map(([, name]) => name))];
      const text = sql.replace(/@(\w+)/g, (_, name: string) => `$${names.indexOf(name) + 1}`);
      const rows = await world.database.query<{ 'QUERY PLAN': string }>(
        `SET search_path = kit; EXPLAIN (GENERIC_PLAN) ${text}`,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };

    for (const [sql, ...indexes] of PLANS) {
      const plan = await planOf(sql);
      for (const index of indexes) expect(plan, sql).toContain(index);
      expect(plan, sql).not.toMatch(/Seq Scan on (jobs|events|steps|artifacts)/);
    }
  });
});

/** InitPlan: the attachments of all runs once, whatever the number of blobs. */
const NAMED_BY = ['InitPlan', 'jobs_with_attachments', 'Index Cond: ((snapshot >= d.value)', '(sha256 = d.value)'];

const PLANS: readonly (readonly [string, ...string[]])[] = [
  [LOOK, 'jobs_claimable_needs', 'jobs_due_needs'],
  [CLAIM_JOBS, 'jobs_claimable', 'jobs_due'],
  [CLAIM_JOB, 'jobs_id_key'],
  [NEEDS_OF_WAITING, 'jobs_id_key'],
  [HOLD_JOBS, 'jobs_id_key'],
  [WAITING_NEEDS, 'jobs_claimable_needs', 'jobs_due_needs'],
  [WAITING_KINDS, 'jobs_claimable_needs'],
  [COUNT_WAITING, 'jobs_claimable_needs'],
  [OVERDUE_JOBS, 'jobs_held'],
  [JOBS_TO_PRUNE, 'jobs_to_prune'],
  [LAST_OF_RUN, 'events_job_id_seq_key'],
  [LAST_OF_RUNS, 'events_job_id_seq_key'],
  [READ_TYPES, 'events_by_type'],
  [READ_RUN, 'events_job_id_seq_key'],
  [LOG_END, 'events_pkey'],
  [NEWEST(''), 'events_pkey'],
  [NEWEST_OF_TYPES(''), 'events_by_type'],
  [NEWEST_OF_RUN(''), 'events_job_id_seq_key'],
  [SAMPLES, 'jobs_sampled'],
  [listJobs(OF_STATUS, [LIST_CONDITIONS.topology], 0), 'jobs_by_topology'],
  [listJobs(OF_STATUS, [LIST_CONDITIONS.topology], 1), 'jobs_by_topology_status'],
  [listJobs(OF_STATUS, [], 1), 'jobs_by_status'],
  [listJobs(OF_STATUS, [], 2), 'jobs_by_status'],
  [listJobs(OF_STATUS, [LIST_CONDITIONS.topology], 2), 'jobs_by_topology_status'],
  [listJobs(OF_STATUS, [LIST_CONDITIONS.source], 0), 'jobs_by_source'],
  [NEWEST_ARTIFACT, 'artifacts_by_ref'],
  [ARTIFACTS_BY_DIGEST, 'artifacts_by_ref'],
  [LIST_ARTIFACTS.correlation, 'artifacts_by_correlation'],
  [LIST_ARTIFACTS.run, 'artifacts_by_run'],
  [LIST_ARTIFACTS.all, 'artifacts_pkey'],
  ...[NAMED_OF, REMOVE_BLOBS, DROP_CANDIDATES].map((sql) => [sql, ...NAMED_BY] as const),
];

async function fill(database: TestDatabase): Promise<void> {
  await database.query(`
    INSERT INTO kit.jobs (id, status, worker_id, lease_until, wake_at, completed_at, waiting_status, topology, input, labels, source, submitted_by, submitted_assurance, attempt, crashes, job_class, priority, engine, needs, snapshot, recover, waiting_on, auto_resume, executed_ms, attachments, created_at)
    SELECT lpad(to_hex(i), 12, '0'), (ARRAY['completed', 'queued', 'running', 'running'])[1 + i % 4], CASE i % 4 WHEN 2 THEN 'w' END, CASE i % 4 WHEN 2 THEN to_char(2000 + i % 1000, '9999') END,
      CASE i % 4 WHEN 3 THEN to_char(2000 + i % 1000, '9999') END, CASE i % 4 WHEN 0 THEN to_char(2000 + i % 1000, '9999') END,
      'queued', 't-' || i % 100, '', '{}', 'trigger:' || i % 100, 'a', 'asserted', i % 2, 0, 'model', i % 5, 1, '{"plugins":{},"adapters":{}}', i::text, 'auto', '[]', 1, 0, '[]', '2026' FROM generate_series(1, 12000) AS i`);
  await database.query(`
    INSERT INTO kit.events (job_id, seq, event_id, type, timestamp, topology_id, payload, labels, prev_hash, hash)
    SELECT lpad(to_hex(i % 100), 12, '0'), i / 100, i::text, 'type-' || i % 20, '2026', 't', '{}', '{}', '', '' FROM generate_series(100, 10000) AS i`);
  await database.query(`
    INSERT INTO kit.artifacts (ref_key, ref, correlation_key, correlation, run_id, name, sha256, media_type, size_bytes, created_at)
    SELECT (i / 3)::text, 'ref-' || i / 3, (i / 20)::text, 'c-' || i / 20, 'r-' || i / 10, 'n', i::text, 'text/plain', 1, '2026' FROM generate_series(1, 5000) AS i`);
  await database.query('ANALYZE kit.jobs, kit.events, kit.artifacts');
}

describe('text that PostgreSQL cannot hold', () => {
  it.each([['plain'], ['a\u0000b'], ['\u0010'], ['\u00100'], ['\u0010\u0000m\u0010'], ['']])(
    'comes back as it went in: %j',
    (text) => {
      expect(toStoredText(text)).not.toContain('\u0000');
      expect(fromStoredText(toStoredText(text))).toBe(text);
    },
  );
});
