import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { ADD_USAGE } from '../../../src/store/postgres/sql/usage.js';
import { calledEvent } from '../../support/model-calls.js';
import { openPostgresProcesses } from '../../support/postgres-processes.js';
import {
  claimOf,
  endedEvent,
  fenceOf,
  newJob,
  noteWrite,
  resumedEvent,
  runEndWrite,
  startedEvent,
  startWrite,
  stepOf,
} from '../../support/store-samples.js';

const processes = openPostgresProcesses();
const query = pg.Client.prototype.query;
afterEach(() => {
  pg.Client.prototype.query = query;
});

/** Statements of `work` that look for calls of models in the log. */
async function looksAtCalls(work: () => Promise<unknown>): Promise<number> {
  let looks = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [asked] = args;
    const text = typeof asked === 'string' ? asked : (asked as pg.QueryConfig).text;
    if (text.includes("'' = 'model.called'")) looks += 1;
    return Reflect.apply(query, this, args);
  } as typeof query;
  await work();
  pg.Client.prototype.query = query;
  return looks;
}

it('is counted without the log where one process has written all of it, and from the log else', async () => {
  const { stores, ids } = processes.world;
  const called = () => calledEvent(ids.uuid(), { timestamp: '2026-01-02T03:04:05.000Z', cost: 1 });
  const inserted = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())]);
  const [job] = await stores.jobs.claim(claimOf({ jobId: inserted.id }));
  if (job === undefined) throw new Error('nothing was claimed');
  const fence = fenceOf(job);
  const stop = runEndWrite([endedEvent(ids.uuid(), 'stopped')], { status: 'stopped' });
  const first = await looksAtCalls(async () => {
    await stores.runs.commit(fence, [startWrite(stepOf(job.id, 'root'), [called()])]);
    await stores.jobs.heartbeat(fence, 60_000, 1);
    await stores.runs.commit(fence, [noteWrite('root', {}, [called(), called()]), stop]);
  });
  expect([first, await stores.serving.usage({})]).toMatchObject([0, [{ calls: 3, costUsd: 3 }]]);

  const again = await stores.jobs.resume(job.id, resumedEvent(ids.uuid()), claimOf());
  const second = await looksAtCalls(async () => {
    await stores.runs.commit(fenceOf(again), [noteWrite('root', {}, [called()])]);
    await stores.runs.commit(fenceOf(again), [runEndWrite([endedEvent(ids.uuid())])]);
  });
  expect([second, await stores.serving.usage({})]).toMatchObject([1, [{ calls: 4, costUsd: 4 }]]);
});

it('of a run whose log another process has written to meanwhile is read there', async () => {
  const { stores, ids } = processes.world;
  const job = await processes.running();
  const other = await processes.another();
  await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'root'), [calledEvent(ids.uuid(), { cost: 1 })])]);
  await other.runs.commit(fenceOf(job), [noteWrite('root', {}, [calledEvent(ids.uuid(), { cost: 1 })])]);

  const looks = await looksAtCalls(() => stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(ids.uuid())])]));

  expect([looks, await stores.serving.usage({})]).toMatchObject([1, [{ calls: 2, costUsd: 2 }]]);
});

it('asks for the runs of its list alone, however many are over', async () => {
  const names: string[] = [];
  const text = ADD_USAGE.replace(/@(\w+)/g, (_, name: string) => `$${names.push(name)}`);
  const rows = await processes.world.database.query(
    `SET search_path = kit; SET enable_hashjoin = off; SET enable_mergejoin = off; EXPLAIN (GENERIC_PLAN) ${text}`,
  );
  const plan = JSON.stringify(rows);

  expect([names.length, plan.includes('jobs_id_key'), plan.includes('jobs_by_status')]).toEqual([14, true, false]);
});
