import type { Socket } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import { withClient } from '../../support/components/postgres.js';
import { openPostgresProcesses } from '../../support/postgres-processes.js';
import {
  claimOf,
  endedEvent,
  fenceOf,
  messageEvent,
  newJob,
  runEndWrite,
  startWrite,
  stepOf,
  stopEvent,
} from '../../support/store-samples.js';

const processes = openPostgresProcesses();
const query = pg.Client.prototype.query;
afterEach(() => {
  pg.Client.prototype.query = query;
});

describe('a commit of runs that this process knows', () => {
  let job: Job;
  beforeEach(async () => {
    job = await processes.running();
    // From here on it is known.
    await processes.world.stores.runs.commit(fenceOf(job), processes.say(job, 'first'));
  });
  const commit = (key: string) => processes.world.stores.runs.commit(fenceOf(job), processes.say(job, key));
  const keys = async () => (await processes.world.stores.runs.load(job.id)).map((row) => row.key);
  const chain = async () => {
    const events = await processes.world.stores.events.readRun(job.id, 0, 100);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.slice(1).map(({ prevHash }) => prevHash)).toEqual(events.slice(0, -1).map(({ hash }) => hash));
    return events.map(({ type }) => type);
  };

  it('is refused after a takeover that commits while it waits for the row', async () => {
    const late = await withClient(processes.world.database.url, async (client) => {
      await client.query('BEGIN');
      await client.query("UPDATE kit.jobs SET worker_id = 'next', attempt = attempt + 1 WHERE id = $1", [job.id]);
      const write = commit('late').catch((error: unknown) => error);
      const waiting =
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kit' AND wait_event_type = 'Lock'";
      await expect.poll(() => processes.world.database.query(waiting), { interval: 10 }).toHaveLength(1);
      await client.query('COMMIT');
      return write;
    });

    expect(late).toMatchObject({ code: 'KIT_LEASE_LOST' });
    expect(await keys()).toEqual(['first']);
    expect(await chain()).toHaveLength(2);
  });

  it('writes its events behind those that another process has added', async () => {
    const other = await processes.another();
    await other.jobs.requestStop(job.id, 'ada', stopEvent(processes.world.ids.uuid()));

    await commit('second');
    await commit('third');

    expect(await keys()).toEqual(['first', 'second', 'third']);
    expect((await chain()).slice(2)).toEqual(['run.stopped', 'executor.message', 'executor.message']);
    expect((await processes.world.stores.jobs.heartbeat(fenceOf(job), 60_000, 0)).stopRequested).toBe(true);
  });

  it('writes nothing outside of its transaction where that could not begin, and is made again, once', async () => {
    let refusals = 0;
    const lastOf: unknown[] = [];
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      if (refusals === 0 && typeof args[0] === 'string' && args[0].startsWith('BEGIN')) {
        refusals += 1;
        return Promise.reject(Object.assign(new Error('canceling statement due to user request'), { code: '57014' }));
      }
      const answer = Reflect.apply(query, this, args);
      if (refusals === 1 && answer instanceof Promise)
        answer.catch((error: { readonly code: string }) => lastOf.push(error.code));
      return answer;
    } as typeof query;

    await commit('second');

    expect(refusals).toBe(1);
    // The lock of the row, the step, the event: each of them is refused by itself.
    expect(lastOf).toEqual(['25006', '25006', '25006']);
    expect(await keys()).toEqual(['first', 'second']);
    expect(await chain()).toHaveLength(3);
  });

  it('was not made where its connection broke and the log holds its event from before', async () => {
    const told = messageEvent(processes.world.ids.uuid(), 'told before');
    const { runs } = processes.world.stores;
    await runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'told'), [told])]);
    let isBroken = false;
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      if (!isBroken && typeof args[0] === 'string' && args[0].startsWith('BEGIN')) {
        isBroken = true;
        (this as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
      }
      return Reflect.apply(query, this, args);
    } as typeof query;

    await runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'again'), [told])]);

    expect(isBroken).toBe(true);
    expect(await keys()).toEqual(['first', 'told', 'again']);
    expect(await chain()).toHaveLength(3);
  });

  it('ends a run without an event that it knows from its claim, and knows it no longer', async () => {
    const { stores, ids, database } = processes.world;
    const id = ids.jobId();
    await stores.jobs.insert(newJob(id), 'queued', []);
    const [claimed] = await stores.jobs.claim(claimOf());
    if (claimed === undefined) throw new Error('nothing was claimed');
    await stores.runs.commit(fenceOf(claimed), [runEndWrite([endedEvent(ids.uuid())])]);

    expect(await database.query('SELECT status FROM kit.jobs WHERE id = $1', [id])).toEqual([{ status: 'completed' }]);
    await expect(stores.runs.commit(fenceOf(claimed), processes.say(claimed, 'late'))).rejects.toMatchObject({
      code: 'KIT_LEASE_LOST',
    });
  });
});
