import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GoOnDeps, goOn, OTHERS_FIRST_MS } from '../../../src/app/runs/go-on.js';
import { resumeRun } from '../../../src/app/runs/resume-run.js';
import { KitError } from '../../../src/domain/errors.js';
import { LOCAL_AUTH } from '../../../src/domain/gates.js';
import type { Job } from '../../../src/domain/job.js';
import type { Clock } from '../../../src/domain/ports/system.js';
import { createClock } from '../../../src/system/clock.js';
import { openReviewWorld, POLICY, type ReviewWorld, refusalOf } from '../../support/review-world.js';
import { claimOf, endedEvent, eventOf, fenceOf, HERE, newJob, runEndWrite } from '../../support/store-samples.js';

const here = { host: 'this-machine', osUser: 'ada' };
let world: ReviewWorld;
beforeEach(async () => {
  world = await openReviewWorld();
});
afterEach(() => world.dispose());

const deps = (over: Partial<GoOnDeps> = {}): GoOnDeps => ({
  stores: world.sqlite.stores,
  ids: world.sqlite.ids,
  clock: createClock(),
  host: HERE,
  claimFor: async () => claimOf({ workerId: 'this-process', host: HERE }),
  assertApproved: async () => undefined,
  here,
  ...over,
});
/** A clock that stands: whoever waits for others waits until they have come. */
const standing = (): Clock => ({ ...createClock(), now: () => 0 });
const offer = (job: Job, over: Partial<GoOnDeps> = {}) => goOn(deps(over), { job: job.id, by: 'qa-1', mode: 'offer' });
const insist = (job: Job, over: Partial<GoOnDeps> = {}) =>
  goOn(deps(over), { job: job.id, by: 'qa-1', mode: 'insist' });
const row = (job: Job) => world.sqlite.stores.jobs.get(job.id);

/** A run that was parked, submitted from there, and woken by the decision of its gate. */
async function woken(from: { readonly host: string; readonly osUser: string } | null = here): Promise<Job> {
  const started = {
    trigger_source: 'cli',
    topology: 'review',
    version: null,
    input_sha256: '',
    submitted_by: 'dana',
    assurance: 'authenticated' as const,
    ...(from === null ? {} : { submitted_from: { host: from.host, os_user: from.osUser } }),
  };
  const job = await world.run({ events: [eventOf(world.sqlite.ids.uuid(), 'run.started', started)] });
  const gate = await world.open(job);
  await world.park(job, [gate.gateId]);
  await world.app.resolve({
    workspace: '',
    item: `mpa-${gate.gateId}-0-qa`,
    identity: 'qa-1',
    auth: LOCAL_AUTH,
    outcome: 'reject',
    comment: '',
  });
  expect((await row(job))?.status).toBe('pending');
  return job;
}

describe('a run that a decision woke', () => {
  it('is taken here when nobody else took it within a second', async () => {
    const job = await woken();
    const from = Date.now();
    expect(await offer(job)).toMatchObject({ kind: 'claimed', job: { status: 'running', workerId: 'this-process' } });
    expect(Date.now() - from).toBeGreaterThanOrEqual(OTHERS_FIRST_MS - 5);
  });

  it('is left to a worker that takes it within that second', async () => {
    const job = await woken();
    const offered = offer(job, { clock: standing() });
    await world.sqlite.stores.jobs.claim(claimOf({ workerId: 'a-worker' }));
    expect(await offered).toMatchObject({ kind: 'left', why: 'a-worker has it' });
    expect((await row(job))?.workerId).toBe('a-worker');
  });

  it('is left without repeating its status where a worker has carried it out already', async () => {
    const job = await woken();
    const [claimed] = await world.sqlite.stores.jobs.claim(claimOf({ workerId: 'a-worker' }));
    if (claimed === undefined) throw new Error('nothing was claimed');
    await world.sqlite.stores.runs.commit(fenceOf(claimed), [runEndWrite([endedEvent(world.sqlite.ids.uuid())])]);
    expect(await offer(job)).toMatchObject({
      kind: 'left',
      job: { status: 'completed' },
      why: 'nothing is left to do',
    });
  });

  it.each([
    ['another machine', { host: 'another', osUser: 'ada' }],
    ['another user of this machine', { host: 'this-machine', osUser: 'bob' }],
    ['nobody knows where', null],
  ])('is left when it was submitted from %s', async (_where, from) => {
    const job = await woken(from);
    expect(await offer(job)).toMatchObject({
      kind: 'left',
      why: expect.stringContaining('elsewhere or by another user'),
    });
    expect((await row(job))?.status).toBe('pending');
  });

  it('is left to a worker on PostgreSQL', async () => {
    const job = await woken();
    const { stores } = world.sqlite;
    const postgres = {
      ...stores,
      jobs: stores.jobs,
      runs: stores.runs,
      events: stores.events,
      reviews: stores.reviews,
      backend: 'postgres' as const,
    };
    expect(await offer(job, { stores: postgres })).toMatchObject({ kind: 'left', why: 'a worker goes on with it' });
  });

  it('is taken at once and from anywhere by who insists', async () => {
    const job = await woken({ host: 'another', osUser: 'bob' });
    // Who waited for others would wait for ever by this clock.
    expect(await insist(job, { clock: standing() })).toMatchObject({
      kind: 'claimed',
      job: { workerId: 'this-process' },
    });
    expect((await world.typesOf(job.id)).filter((type) => type === 'run.resumed')).toHaveLength(1);
  });

  it('is left where a plugin that it needs is missing', async () => {
    const job = await woken();
    expect(await offer(job, { claimFor: async () => claimOf({ engine: 99 }) })).toMatchObject({ kind: 'left' });
    expect((await row(job))?.status).toBe('pending');
  });

  it('is not claimed where an adapter is no longer approved', async () => {
    const job = await woken();
    const assertApproved = () => Promise.reject(new KitError('KIT_ADAPTER_UNTRUSTED', 'no'));
    expect((await refusalOf(offer(job, { assertApproved }))).code).toBe('KIT_ADAPTER_UNTRUSTED');
    expect((await row(job))?.status).toBe('pending');
  });
});

describe('a run that still waits', () => {
  it('is left, and resumed only by who insists', async () => {
    const { job, gate } = await world.parked();
    expect(await offer(job)).toMatchObject({
      kind: 'left',
      why: `it is awaiting review: gate ${gate.gateId} awaits sign-off by qa, ops`,
    });
    expect(await insist(job)).toMatchObject({ kind: 'claimed', job: { status: 'running' } });
    expect(await insist(job)).toMatchObject({ kind: 'left', why: 'this-process has it' });
  });
});

describe('resuming by hand', () => {
  const resume = (job: string | null) => resumeRun(deps(), { job, topology: null, by: 'dana' });

  it('takes up the newest run that was begun, and none that still waits for its first worker', async () => {
    const job = await woken();
    const fresh = await world.sqlite.stores.jobs.insert(newJob(world.sqlite.ids.jobId()), 'queued', []);
    expect((await resume(null)).id).toBe(job.id);
    expect((await row(fresh))?.status).toBe('queued');
  });

  it('fires what is due first: a gate that has expired wakes its run with the rejection', async () => {
    const expiry = { afterMs: 1_000, remindBeforeMs: null, action: 'reject' as const, escalateTo: [] };
    const { job, gate } = await world.parked({ policy: { ...POLICY, expiry } });
    world.elapse(1_000);
    expect(await resume(job.id)).toMatchObject({ status: 'running', workerId: 'this-process' });
    expect((await world.sqlite.stores.reviews.gate(gate.gateId))?.status).toBe('rejected');
  });
});
