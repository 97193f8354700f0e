import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkLogs } from '../../src/app/doctor/checks/logs.js';
import { findJob } from '../../src/app/find-job.js';
import { createJobsApp } from '../../src/app/jobs/create-jobs-app.js';
import type { JobsApp } from '../../src/app/jobs/jobs-app.js';
import type { Job } from '../../src/domain/job.js';
import {
  claimOf,
  endedEvent,
  fenceOf,
  HERE,
  messageEvent,
  newJob,
  runEndWrite,
  startedEvent,
  startWrite,
  stepOf,
} from '../support/store-samples.js';
import { MANUAL_START_MS, openSqliteWorld, type StoreWorld } from '../support/store-world.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const AGE = { olderThanDays: 30 };
/** Many slices of a removal. */
const EVENTS = 6_000;

let world: StoreWorld;
beforeEach(async () => {
  world = await openSqliteWorld();
});
afterEach(() => world.dispose());

const insert = (): Promise<Job> =>
  world.stores.jobs.insert(newJob(world.ids.jobId()), 'pending', [startedEvent(world.ids.uuid())], claimOf());

/** A run that is over and due, with somebody's work after it. */
async function due(): Promise<Job> {
  const { stores, ids } = world;
  const job = await insert();
  const events = Array.from({ length: EVENTS }, () => messageEvent(ids.uuid(), 'said', 'root'));
  await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'root'), events)]);
  const endedAt = new Date(MANUAL_START_MS).toISOString();
  await stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(ids.uuid())], { endedAt })]);
  await insert();
  await world.elapse(31 * DAY_MS);
  return job;
}

/** As when the process that removes is killed. */
async function beginToRemove({ id }: Job): Promise<void> {
  const { retention } = world.stores;
  const over = new AbortController();
  const removal = retention.prune(AGE, () => undefined, over.signal).catch(() => undefined);
  while ((await retention.pruned(id)) === null) await nextTurn();
  over.abort();
  await removal;
}

const prunedRun = ({ id }: Job) => ({
  code: 'KIT_JOB_UNKNOWN',
  message: expect.stringContaining(`run ${id} was pruned on`),
});

const jobsOf = (): JobsApp =>
  createJobsApp({
    host: HERE,
    defer: setImmediate,
    openStores: async () => world.stores,
    isSwept: () => true,
    openFleet: () => Promise.reject(new Error('no fleet here')),
    offers: () => Promise.reject(new Error('no offers here')),
  });

describe('a run of which a part was removed', () => {
  it('is gone for whoever asks for it, and nobody takes what is left for its log', async () => {
    const job = await due();
    await beginToRemove(job);
    const { stores } = world;
    expect((await stores.events.readRun(job.id, 0, 1))[0]?.seq).toBeGreaterThan(1);

    for (const name of [job.id, job.id.slice(0, 11)])
      await expect(findJob(stores, name)).rejects.toMatchObject(prunedRun(job));
    const [jobs, ask] = [jobsOf(), { workspace: '/w', job: job.id }];
    for (const read of [jobs.get(ask), jobs.diff(ask), jobs.events({ ...ask, afterSeq: 0, limit: 10 })])
      await expect(read).rejects.toMatchObject(prunedRun(job));
    expect(await checkLogs(stores, { full: true, clock: { now: () => 0 } })).toMatchObject({ status: 'ok' });
  });
});
