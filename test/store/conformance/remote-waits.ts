import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import type { RunWrite } from '../../../src/domain/journal.js';
import type { JsonObject } from '../../../src/domain/json.js';
import { parkWrite } from '../../support/review-samples.js';
import {
  claimOf,
  endWrite,
  fenceOf,
  newJob,
  noteWrite,
  startWrite,
  stepOf,
  stopEvent,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const LATER_MS = 365 * 24 * 3_600_000;
const LEASE_MS = 20_000;
const KEY = 'root/t0/c1';
const NOTE = { remote: { task: 't-1' } };

/** What parked runs wait for at agents elsewhere: one holder a row, and nothing is lost. */
export function remoteWaitLaws(world: World): void {
  const waits = () => world().stores.remoteWaits;
  const row = (job: Job): Promise<Job | null> => world().stores.jobs.get(job.id);
  const commit = (job: Job, ...writes: RunWrite[]) => world().stores.runs.commit(fenceOf(job), writes);
  /** A run that waits for a task without a worker; `isDeferred`: and for people too. */
  const waiting = async (of: { readonly isDeferred?: boolean; readonly note?: JsonObject } = {}): Promise<Job> => {
    const { ids, stores } = world();
    const job = await stores.jobs.insert(newJob(ids.jobId()), 'queued', [], claimOf());
    const park: RunWrite =
      of.isDeferred === true
        ? parkWrite(['some-gate'], ids.uuid(), { remote: [KEY] })
        : {
            op: 'run.parked',
            waitingOn: ['x'],
            error: '',
            autoResume: true,
            wakeAfterMs: LATER_MS,
            remote: [KEY],
            events: [],
          };
    await commit(job, startWrite(stepOf(job.id, KEY)), noteWrite(KEY, of.note ?? NOTE), park);
    return job;
  };
  const stop = (job: Job) => world().stores.jobs.requestStop(job.id, 'ada', stopEvent(world().ids.uuid()));

  it('names the task of a parked run, and the needs of the run', async () => {
    const job = await waiting();
    expect(await waits().due(10)).toEqual([
      expect.objectContaining({ jobId: job.id, key: KEY, status: 'running', isExecuted: false, notes: NOTE }),
    ]);
    expect((await waits().due(10))[0]?.needs).toEqual(job.needs);
  });

  it('gives a row to one holder, until its lease is over', async () => {
    await waiting();
    const due = await waits().due(10);
    const [held, ...none] = await waits().hold(due, LEASE_MS);
    expect(none).toEqual([]);
    expect(await waits().hold(due, LEASE_MS)).toEqual([]);
    expect(await waits().due(10)).toEqual([]);
    if (held === undefined) throw new Error('nobody holds it');
    const [kept] = await waits().hold([held], 2 * LEASE_MS);
    expect(await waits().settle(held, { wakes: true })).toBe(false);
    await world().elapse(2 * LEASE_MS + 1);
    expect(await waits().due(10)).toEqual([expect.objectContaining({ heldUntil: kept?.heldUntil })]);
  });

  it('wakes the run in the transaction that removes the row', async () => {
    const job = await waiting();
    const [held] = await waits().hold(await waits().due(10), LEASE_MS);
    expect(await world().stores.jobs.claim(claimOf({ workerId: 'w2' }))).toEqual([]);
    if (held === undefined) throw new Error('nobody holds it');
    expect(await waits().settle(held, { wakes: true })).toBe(true);
    expect((await world().stores.jobs.claim(claimOf({ workerId: 'w2' }))).map(({ id }) => id)).toEqual([job.id]);
    expect(await waits().settle(held, { wakes: true })).toBe(false);
  });

  it('resumes a run that waits for people too, with its event', async () => {
    const job = await waiting({ isDeferred: true });
    expect(await row(job)).toMatchObject({ status: 'deferred' });
    const [held] = await waits().hold(await waits().due(10), LEASE_MS);
    if (held === undefined) throw new Error('nobody holds it');
    await waits().settle(held, { wakes: true });
    expect(await row(job)).toMatchObject({ status: 'queued' });
    const events = await world().stores.events.readRun(job.id, 0, 100);
    expect(events.at(-1)).toMatchObject({ type: 'run.resumed', payload: { requested_by: `step ${KEY}` } });
  });

  it('leaves the task of a run that was stopped to whoever holds the row next', async () => {
    const job = await waiting();
    const [held] = await waits().hold(await waits().due(10), LEASE_MS);
    await stop(job);
    expect(await row(job)).toMatchObject({ status: 'stopped' });
    expect(await waits().due(10)).toEqual([expect.objectContaining({ jobId: job.id, status: 'stopped', notes: NOTE })]);
    if (held === undefined) throw new Error('nobody holds it');
    expect(await waits().hold([held], LEASE_MS)).toEqual([]);
  });

  it('leaves it too where the process that kept the run has died', async () => {
    const { ids, stores } = world();
    const job = await stores.jobs.insert(newJob(ids.jobId(), { recover: 'manual' }), 'queued', [], claimOf());
    await commit(job, startWrite(stepOf(job.id, KEY)), noteWrite(KEY, NOTE));
    await commit(job, startWrite(stepOf(job.id, 'root/t0/c2')), noteWrite('root/t0/c2', NOTE));
    await commit(job, endWrite('root/t0/c2', { status: 'ok', value: 1 }));
    await stores.jobs.release(fenceOf(job));
    await stop(job);
    expect((await waits().due(10)).map(({ key }) => key)).toEqual([KEY]);
  });

  it('names no task of a step that has come to an end', async () => {
    const job = await waiting();
    await world()
      .stores.jobs.resume(job.id, stopEvent(world().ids.uuid()), claimOf())
      .catch(() => undefined);
    const again = await row(job);
    if (again === null) throw new Error('no row');
    await commit(again, endWrite(KEY, { status: 'ok', value: 1 }));
    expect(await waits().due(10)).toEqual([expect.objectContaining({ isExecuted: true, notes: null })]);
  });

  it('names the calls that wait for people elsewhere, as long as they and their runs go on', async () => {
    const gated = { remote: { task: 't-1', state: 'input-required', gateUrl: 'https://there.test/gates/g' } };
    const job = await waiting({ note: gated });
    const [over, ended] = [await waiting({ note: gated, isDeferred: true }), await waiting({ note: gated })];
    await waiting({ note: { remote: { task: '"state":"input-required"', state: 'working' } } });
    await waiting({ note: { remote: { task: 't-2', state: 'working', last: { state: 'input-required' } } } });
    const row = { topology: job.topology, notes: gated };
    const all = [job, over, ended].map(({ id: jobId }) => ({ jobId, ...row }));
    expect(await waits().gated(10)).toEqual(all);
    expect(await waits().gated(2)).toEqual(all.slice(0, 2));
    await waits().hold(await waits().due(10), LEASE_MS);
    expect(await waits().gated(10)).toEqual(all);
    await stop(over);
    const again = await world()
      .stores.jobs.resume(ended.id, stopEvent(world().ids.uuid()), claimOf())
      .catch(() => null);
    const now = again ?? (await world().stores.jobs.get(ended.id));
    if (now === null) throw new Error('no row');
    await commit(now, endWrite(KEY, { status: 'ok', value: 1 }));
    expect(await waits().gated(10)).toEqual(all.slice(0, 1));
  });

  it('is not a deadline of a gate', async () => {
    await waiting();
    expect(await world().stores.reviews.dueTimers(10)).toEqual([]);
  });
}
