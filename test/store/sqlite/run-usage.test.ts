import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import type { ClaimRequest, NewJob } from '../../../src/domain/ports/stores.js';
import { addFunctions } from '../../../src/store/sqlite/functions.js';
import { type Call, calledEvent } from '../../support/model-calls.js';
import {
  claimOf,
  endedEvent,
  endWrite,
  fenceOf,
  newJob,
  resumedEvent,
  runEndWrite,
  startedEvent,
  startWrite,
  stepOf,
} from '../../support/store-samples.js';
import { openSqliteWorld, type SqliteWorld } from '../../support/store-world.js';

const MODEL = "coalesce(json_extract(payload, '$.served_by.model'), json_extract(payload, '$.model'), '')";
const sum = (name: string): string => `coalesce(sum(json_extract(payload, '$.${name}')), 0) AS ${name}`;

/** What calls came to, by the log alone and in one statement: the migration that began to count. */
const IN_THE_LOG = `
SELECT @jobId AS job_id, min(seq) AS first_seq, max(seq) AS last_seq, substr(timestamp, 1, 10) AS day,
  min(timestamp) AS first_at, max(timestamp) AS last_at, topology_id, ${MODEL} AS model, count(*) AS calls,
  sum(json_extract(payload, '$.cost_usd') IS NOT NULL
    OR (json_extract(payload, '$.status') = 'failed' AND json_extract(payload, '$.input_tokens') + json_extract(payload, '$.output_tokens') = 0)) AS priced,
  ${['input_tokens', 'output_tokens', 'cached_input_tokens', 'cost_usd'].map(sum).join(', ')}
FROM events WHERE job_id = @jobId AND seq > @after AND type = 'model.called'
GROUP BY 4, topology_id, 8 ORDER BY first_seq`;
const COUNTED = 'SELECT * FROM usage_runs WHERE job_id = @jobId AND last_seq > @after ORDER BY first_seq';
const DAYS = 'day, topology_id, model';
const ADDED_UP = ['calls', 'priced', 'input_tokens', 'output_tokens', 'cached_input_tokens', 'cost_usd']
  .map((name) => `sum(${name}) AS ${name}`)
  .join(', ');

const CALLS: readonly Call[] = [
  { input: 100, output: 7, cached: 3, cost: 0.1, timestamp: '2026-01-01T22:00:00.000Z' },
  { input: 20, output: 5, cost: 0.2, timestamp: '2026-01-01T21:59:59.000Z' },
  { input: 1, output: 1, cost: 0.3, timestamp: '2026-01-02T01:00:00.000Z', servedBy: 'm-2' },
  { status: 'failed', reason: 'timeout', input: 0, output: 0, cost: null },
  { status: 'failed', reason: 'server', input: 9, output: 0, cost: null },
  { model: 'm-3', cost: 1e-7 },
  { model: 'm-3', cost: null, topologyId: 'other' },
];

describe('what a run on SQLite used, counted with its end', () => {
  let world: SqliteWorld;
  let other: Database.Database;
  let steps: number;
  beforeEach(async () => {
    steps = 0;
    world = await openSqliteWorld();
    other = new Database(world.path, { timeout: 1000 });
    addFunctions(other, 'write');
  });
  afterEach(async () => {
    other.close();
    await world.dispose();
  });

  const begin = (over: Partial<NewJob> = {}, claim: Partial<ClaimRequest> = {}): Promise<Job> => {
    const events = [startedEvent(world.ids.uuid())];
    return world.stores.jobs.insert(newJob(world.ids.jobId(), over), 'pending', events, claimOf(claim));
  };
  const call = async (job: Job, calls: readonly Call[] = CALLS): Promise<void> => {
    for (const one of calls) {
      steps += 1;
      await world.stores.runs.commit(fenceOf(job), [
        startWrite(stepOf(job.id, `s${steps}`)),
        endWrite(`s${steps}`, { status: 'ok', value: 1 }, [calledEvent(world.ids.uuid(), one)]),
      ]);
    }
  };
  /** Ends a run; answers what was counted with that, beside what its log says. */
  const end = async (job: Job, status: 'completed' | 'failed' | 'stopped' = 'completed') => {
    const { after } = other
      .prepare('SELECT coalesce(max(last_seq), 0) AS after FROM usage_runs WHERE job_id = ?')
      .get(job.id) as { after: number };
    await world.stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(world.ids.uuid(), status)], { status })]);
    const of = { jobId: job.id, after };
    return { counted: other.prepare(COUNTED).all(of), logged: other.prepare(IN_THE_LOG).all(of) };
  };
  const resume = (job: Job): Promise<Job> =>
    world.stores.jobs.resume(job.id, resumedEvent(world.ids.uuid()), claimOf());

  it.each(['completed', 'failed', 'stopped'] as const)('is what its log says: a run that is %s', async (status) => {
    const job = await begin();
    await call(job);

    const { counted, logged } = await end(job, status);

    expect(counted).toEqual(logged);
    expect(counted).toHaveLength(5);
  });

  it('is what its log says where another process wrote in the midst of it', async () => {
    const job = await begin();
    await call(job, CALLS.slice(0, 3));
    other.prepare("UPDATE jobs SET labels = '{}' WHERE id = ?").run(job.id);
    await call(job, CALLS.slice(3));

    const { counted, logged } = await end(job);

    expect(counted).toEqual(logged);
    expect(counted).toHaveLength(5);
  });

  it('holds each call once where a run goes on after it was stopped, and after it was handed on', async () => {
    const job = await begin();
    await call(job, CALLS.slice(0, 4));
    const first = await end(job, 'stopped');
    const again = await resume(job);
    await call(again, CALLS.slice(4));
    await world.stores.jobs.release(fenceOf(again));
    const [last] = await world.stores.jobs.claim(claimOf());
    await call(last as Job);

    const { counted, logged } = await end(last as Job);

    expect(first.counted).toEqual(first.logged);
    expect(counted).toEqual(logged);
    const days = (table: string): readonly unknown[] =>
      other.prepare(`SELECT ${DAYS}, ${ADDED_UP} FROM ${table} GROUP BY ${DAYS} ORDER BY ${DAYS}`).all();
    expect(days('usage_days')).toEqual(days('usage_runs'));
  });

  it('is nothing where a cassette answered', async () => {
    const needs = { plugins: {}, adapters: {}, cassette: 'a'.repeat(64) };
    const job = await begin({ needs }, { offers: needs });
    await call(job);

    expect((await end(job)).counted).toEqual([]);
    expect(other.prepare('SELECT * FROM usage_days').all()).toEqual([]);
  });

  it('has nothing of a call whose commit was given up', async () => {
    const job = await begin();
    await call(job, CALLS.slice(0, 1));
    const refused = world.stores.runs.commit(fenceOf(job), [
      startWrite(stepOf(job.id, 'b'), [calledEvent(world.ids.uuid(), { cost: 5 })]),
      startWrite({ ...stepOf(job.id, 'c'), jobId: 'another' }),
    ]);
    await expect(refused).rejects.toMatchObject({ code: 'KIT_INTERNAL' });

    const { counted, logged } = await end(job);

    expect(counted).toEqual(logged);
    expect(counted).toMatchObject([{ calls: 1, cost_usd: 0.1 }]);
  });
});
