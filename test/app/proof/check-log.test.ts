import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { checkLogs } from '../../../src/app/doctor/checks/logs.js';
import { assertLogIntact, findLogBreak } from '../../../src/app/proof/check-log.js';
import { openPostgresWorld } from '../../support/postgres-world.js';
import { newJob, startedEvent } from '../../support/store-samples.js';
import { openSqliteWorld, type StoreWorld } from '../../support/store-world.js';

/** A store, and a way to do to it what nobody may. */
interface Tampered {
  readonly world: StoreWorld;
  readonly tamper: (sql: string) => Promise<void>;
}

/** The log of SQLite is a view; its rows name their run by its number. */
const inRows = (sql: string): string =>
  sql.replace(' events', ' event_rows').replace(/job_id = ('\w+')/, 'run = (SELECT ord FROM jobs WHERE id = $1)');

const KINDS: readonly (readonly [string, () => Promise<Tampered>])[] = [
  [
    'SQLite',
    async () => {
      const world = await openSqliteWorld();
      const tamper = async (sql: string) => {
        const db = new Database(world.path);
        db.exec(`DROP TRIGGER IF EXISTS events_no_update; DROP TRIGGER IF EXISTS events_no_delete; ${inRows(sql)}`);
        db.close();
      };
      return { world, tamper };
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const world = await openPostgresWorld();
      const tamper = async (sql: string) => {
        await world.database.query('ALTER TABLE kit.events DISABLE TRIGGER USER');
        await world.database.query(sql.replace(' events', ' kit.events'));
      };
      return { world, tamper };
    },
  ],
];

const opened: StoreWorld[] = [];
afterEach(async () => {
  for (const world of opened.splice(0)) await world.dispose();
});

describe.each(KINDS)('the log of a run on %s', (_, open) => {
  const withRuns = async () => {
    const found = await open();
    opened.push(found.world);
    const { stores, ids } = found.world;
    const insert = () =>
      stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid()), startedEvent(ids.uuid())]);
    return { ...found, stores, jobs: [await insert(), await insert(), await insert()] as const };
  };

  it('is what was hashed', async () => {
    const { stores, jobs } = await withRuns();
    for (const job of jobs) expect(await findLogBreak(stores, job)).toBeNull();
  });

  it('is broken where an event was changed, and names it', async () => {
    const { stores, jobs, tamper } = await withRuns();
    const [, job] = jobs;
    await tamper(`UPDATE events SET topology_id = 'another' WHERE job_id = '${job.id}' AND seq = 2`);
    await expect(assertLogIntact(stores, job)).rejects.toMatchObject({
      code: 'KIT_LOG_BROKEN',
      message: expect.stringMatching(/^the log of run \w+ is broken: event 2 \(run\.started\) is not what was hashed$/),
      data: { run_id: job.id, what: 'chain', seq: 2 },
    });
    expect(await findLogBreak(stores, jobs[0])).toBeNull();
  });

  it('is broken where an event is missing', async () => {
    const { stores, jobs, tamper } = await withRuns();
    await tamper(`DELETE FROM events WHERE job_id = '${jobs[0].id}' AND seq = 1`);
    expect(await findLogBreak(stores, jobs[0])).toMatchObject({ message: 'event 1 is missing', seq: 1 });
  });

  it('is looked at by kit doctor, which names the run', async () => {
    const { stores, jobs, tamper } = await withRuns();
    const of = { full: false, clock: { now: () => 0 } };
    expect(await checkLogs(stores, of)).toMatchObject({
      status: 'ok',
      found: 'the logs of the newest 3 runs are intact',
    });
    await tamper(`UPDATE events SET topology_id = 'another' WHERE job_id = '${jobs[2].id}' AND seq = 2`);
    for (const full of [false, true])
      expect(await checkLogs(stores, { ...of, full })).toMatchObject({
        status: 'fail',
        found: expect.stringContaining(`run ${jobs[2].id}: event 2`),
      });
  });
});
