import { afterEach, beforeEach, expect, test } from 'vitest';
import { createJobsApp } from '../../../src/app/jobs/create-jobs-app.js';
import type { JobsApp } from '../../../src/app/jobs/jobs-app.js';
import { listCheckpoints } from '../../../src/app/list-checkpoints.js';
import { createObserveApp } from '../../../src/app/observe/create-observe-app.js';
import { waitForRun } from '../../../src/app/observe/wait-run.js';
import { stopJob } from '../../../src/app/stop-job.js';
import { LOCAL_AUTH } from '../../../src/domain/gates.js';
import type { Job } from '../../../src/domain/job.js';
import { openReviewWorld, type ReviewWorld } from '../../support/review-world.js';
import { endWrite, fenceOf, HERE, startWrite, stepOf } from '../../support/store-samples.js';

const workspace = '/w';
const DIFF = 'diff --git a/a b/a';

let world: ReviewWorld;
let jobs: JobsApp;
beforeEach(async () => {
  world = await openReviewWorld();
  jobs = createJobsApp({
    host: HERE,
    defer: setImmediate,
    openStores: async () => world.sqlite.stores,
    isSwept: () => true,
    openFleet: () => Promise.reject(new Error('no fleet here')),
    offers: () => Promise.reject(new Error('no offers here')),
  });
});
afterEach(() => world.dispose());

/** A run with one finished session of a harness. */
async function busy(): Promise<Job> {
  const job = await world.run();
  const key = 'root/d0/x';
  await world.sqlite.stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, key, { kind: 'harness' }))]);
  await world.sqlite.stores.runs.commit(fenceOf(job), [endWrite(key, { status: 'ok', value: { diff: DIFF } })]);
  return job;
}

const SPENT = { inputTokens: 10, outputTokens: 5, costUsd: 0.25 };

test('a run that goes on, waits or was stopped shows what it has used and changed', async () => {
  const job = await busy();
  const ask = { workspace, job: job.id };
  const shown = async (status: string): Promise<void> => {
    const whole = { status, usage: SPENT, diffLength: DIFF.length };
    expect(await jobs.get(ask)).toMatchObject(whole);
    expect(await jobs.list({ workspace })).toMatchObject([whole]);
    expect(await jobs.diff(ask)).toEqual({ root: DIFF });
  };

  await shown('running');
  const gate = await world.open(job);
  await world.park(job, [gate.gateId]);
  await shown('deferred');
  await world.sqlite.stores.jobs.requestStop(job.id, 'dana', {
    type: 'run.stopped',
    eventId: world.sqlite.ids.uuid(),
    timestamp: '2026-01-02T03:04:05.000Z',
    topologyId: job.topology,
    agentId: null,
    skillId: null,
    stepKey: null,
    payload: { requested_by: 'dana', at: '2026-01-02T03:04:05.000Z' },
  });
  await shown('stopped');
});

test('the error of a parked run names those who have not decided yet', async () => {
  const job = await world.run();
  const gate = await world.open(job);
  await world.park(job, [gate.gateId], false);
  const signal = new AbortController().signal;
  const error = async (): Promise<string | null> => {
    const { error: shown } = await jobs.get({ workspace, job: job.id });
    const stores = world.sqlite.stores;
    const waited = await waitForRun(stores, { run: job.id, until: 'parked', signal, settle: async () => undefined });
    expect(waited.error).toBe(shown);
    return shown;
  };
  const sign = (role: string, identity: string) =>
    world.app.resolve({
      workspace,
      item: `mpa-${gate.gateId}-0-${role}`,
      identity,
      auth: LOCAL_AUTH,
      outcome: 'approve',
      comment: '',
    });

  expect(await error()).toBe(`awaiting review: gate ${gate.gateId} awaits sign-off by qa, ops`);
  await sign('qa', 'qa-1');
  expect(await error()).toBe(`awaiting review: gate ${gate.gateId} awaits sign-off by ops`);
  await sign('ops', 'ops-1');
  expect(await error()).toBe('everything is decided: the run goes on when it is resumed');
});

test('the answer of a stop and the list of checkpoints give a run as it stands', async () => {
  const { stores } = world.sqlite;
  const list = { limit: 5, offers: () => Promise.reject(new Error('no offers here')), claimants: async () => [] };
  const job = await busy();
  const gate = await world.open(job);
  await world.park(job, [gate.gateId]);
  const whole = { usage: SPENT, diffLength: DIFF.length };

  expect(await listCheckpoints(stores, list)).toMatchObject([{ job: { status: 'deferred', ...whole } }]);
  const { job: stopped } = await stopJob(
    { ...world.sqlite, clock: { now: () => 0, sleep: async () => undefined } },
    { job: job.id, by: 'dana' },
  );
  expect(stopped).toMatchObject({ status: 'stopped', ...whole });
});

test('every read of a run gives it as it stands: by a prefix, in lists, in logs and reports', async () => {
  const job = await busy();
  const gate = await world.open(job);
  await world.park(job, [gate.gateId]);
  const auth = { identity: 'qa-1', auth: LOCAL_AUTH, outcome: 'approve', comment: '' } as const;
  await world.app.resolve({ workspace, item: `mpa-${gate.gateId}-0-qa`, ...auth });
  const observe = createObserveApp({
    clock: { now: () => 0, sleep: async () => undefined },
    ids: world.sqlite.ids,
    host: HERE,
    openStores: async () => world.sqlite.stores,
    maskOf: async () => (text) => text,
  });
  const query = { workspace, topology: null, agent: null, types: [], follow: false, last: 5 };
  const { signal } = new AbortController();

  const shown = await jobs.get({ workspace, job: job.id });

  expect(shown).toMatchObject({
    usage: SPENT,
    diffLength: DIFF.length,
    error: `awaiting review: gate ${gate.gateId} awaits sign-off by ops`,
  });
  expect(await jobs.find({ workspace, job: job.id.slice(0, 8) })).toEqual(shown);
  expect(await jobs.list({ workspace })).toEqual([shown]);
  expect((await observe.status({ workspace, limit: 5 })).map((run) => run.job)).toEqual([shown]);
  expect((await observe.status({ workspace, limit: 5, filter: { idPrefix: job.id } })).map((run) => run.job)).toEqual([
    shown,
  ]);
  expect((await observe.logs({ ...query, run: null, signal })).map((run) => run.job)).toEqual([shown]);
  expect((await observe.logs({ ...query, run: job.id, signal })).map((run) => run.job)).toEqual([shown]);
  expect((await observe.trace({ workspace, run: job.id })).job).toEqual(shown);
  expect((await observe.report({ workspace, run: job.id })).job).toEqual(shown);
});
