import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import type { NewJob } from '../../../src/domain/ports/stores.js';
import {
  claimOf,
  ELSEWHERE,
  endedEvent,
  endWrite,
  fenceOf,
  HERE,
  newJob,
  resumedEvent,
  runEndWrite,
  startedEvent,
  startWrite,
  stepOf,
  stopEvent,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const LEASE_MS = 60_000;

export function leaseLaws(world: World): void {
  const running = async (over: Partial<NewJob> = {}): Promise<Job> => {
    const { stores, ids } = world();
    return stores.jobs.insert(
      newJob(ids.jobId(), over),
      'pending',
      [startedEvent(ids.uuid())],
      claimOf({ leaseMs: LEASE_MS }),
    );
  };
  const reclaimed = async (jobId: string): Promise<Job> => {
    const [job] = await world().stores.jobs.claim(claimOf({ workerId: 'next', jobId }));
    return job ?? expect.fail('nothing was claimable');
  };

  it('extends the lease and adds execution time with each heartbeat', async () => {
    const { stores, elapse } = world();
    const job = await running();
    await elapse(20_000);

    await stores.jobs.heartbeat(fenceOf(job), LEASE_MS, 20_000);
    await stores.jobs.heartbeat(fenceOf(job), LEASE_MS, 1500.4);

    const after = await stores.jobs.get(job.id);
    expect(Date.parse(after?.leaseUntil ?? '') - Date.parse(job.leaseUntil ?? '')).toBe(20_000);
    expect(after?.executedMs).toBe(21_500);
  });

  it('tells a worker whose fence no longer holds that its lease is lost', async () => {
    const { stores } = world();
    const fence = fenceOf(await running());

    for (const stale of [
      { ...fence, attempt: fence.attempt + 1 },
      { ...fence, workerId: 'other' },
      { ...fence, jobId: '000000000000' },
    ]) {
      expect(await stores.jobs.heartbeat(stale, LEASE_MS, 0)).toEqual({ lost: true, stopRequested: false });
    }
  });

  it('gives a released job back as it was queued and counts nothing', async () => {
    const { stores, ids } = world();
    const id = ids.jobId();
    await stores.jobs.insert(newJob(id), 'queued', []);
    const [job] = await stores.jobs.claim(claimOf());

    await stores.jobs.release(fenceOf(job!));

    expect(await stores.jobs.get(id)).toMatchObject({
      status: 'queued',
      workerId: null,
      leaseUntil: null,
      attempt: 1,
      crashes: 0,
    });
    expect((await reclaimed(id)).attempt).toBe(2);
    await expect(stores.jobs.release(fenceOf(job!))).rejects.toMatchObject({ code: 'KIT_LEASE_LOST' });
  });

  it('stops a released job whose stop was requested, instead of queueing it', async () => {
    const { stores, ids } = world();
    const job = await running();
    await stores.jobs.requestStop(job.id, 'ada', stopEvent(ids.uuid()));

    await stores.jobs.release(fenceOf(job));

    expect(await stores.jobs.get(job.id)).toMatchObject({ status: 'stopped', reason: 'stop_requested' });
    expect((await stores.events.readRun(job.id, 0, 10)).map((event) => event.type)).toEqual([
      'run.started',
      'run.stopped',
      'run.parked',
    ]);
  });

  it('counts a job that its worker gives up as it counts a crash, and fails it the third time, saying why', async () => {
    const { stores, ids } = world();
    let job = await running({ recover: 'manual' });
    await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'root/d0/t1'))]);
    for (const crashes of [1, 2]) {
      await stores.jobs.release(fenceOf(job), 'row is too big');
      expect(await stores.jobs.get(job.id)).toMatchObject({
        status: 'pending',
        workerId: null,
        leaseUntil: null,
        reason: null,
        crashes,
      });
      job = await reclaimed(job.id);
    }
    await stores.jobs.release(fenceOf(job), 'row is too big');

    const error = 'given up 3 times in step root/d0/t1 without finishing a step: row is too big';
    expect(await stores.jobs.get(job.id)).toMatchObject({
      status: 'failed',
      reason: 'crash_loop',
      crashes: 3,
      workerId: null,
      error,
    });
    expect((await stores.events.readRun(job.id, 0, 10)).filter(({ type }) => type === 'run.ended')).toMatchObject([
      { payload: { status: 'failed', reason: 'crash_loop', error } },
    ]);
    await expect(stores.jobs.release(fenceOf(job), 'again')).rejects.toMatchObject({ code: 'KIT_LEASE_LOST' });

    const stopping = await running();
    await stores.jobs.requestStop(stopping.id, 'ada', stopEvent(ids.uuid()));
    await stores.jobs.release(fenceOf(stopping), 'row is too big');
    expect(await stores.jobs.get(stopping.id)).toMatchObject({
      status: 'stopped',
      reason: 'stop_requested',
      crashes: 0,
    });
  });

  it('leaves a lease alone until it is over, then makes the job claimable with one crash counted', async () => {
    const { stores, elapse } = world();
    const job = await running();
    await elapse(LEASE_MS - 1);
    expect(await stores.jobs.sweep(HERE)).toEqual([]);

    await elapse(2);
    const swept = await stores.jobs.sweep(HERE);

    expect(swept).toMatchObject([{ id: job.id, status: 'pending', crashes: 1, workerId: null }]);
    expect(await stores.jobs.sweep(HERE)).toEqual([]);
    expect(await reclaimed(job.id)).toMatchObject({ attempt: 2, workerId: 'next' });
  });

  it('refuses every write of a worker whose job was taken over', async () => {
    const { stores, ids, elapse } = world();
    const job = await running();
    await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'root/d0'))]);
    await elapse(LEASE_MS + 1);
    await stores.jobs.sweep(HERE);
    await reclaimed(job.id);

    await expect(
      stores.runs.commit(fenceOf(job), [endWrite('root/d0', { status: 'ok', value: 1 })]),
    ).rejects.toMatchObject({
      code: 'KIT_LEASE_LOST',
    });
    await expect(stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(ids.uuid())])])).rejects.toMatchObject({
      code: 'KIT_LEASE_LOST',
    });
    await expect(stores.jobs.release(fenceOf(job))).rejects.toMatchObject({ code: 'KIT_LEASE_LOST' });

    expect(await stores.jobs.get(job.id)).toMatchObject({ status: 'running', workerId: 'next' });
    expect((await stores.runs.load(job.id))[0]?.outcome).toBeNull();
    expect(await stores.events.readRun(job.id, 0, 10)).toHaveLength(1);
  });

  it('fails a job at its third crash and names the step it dies in', async () => {
    const { stores, elapse } = world();
    let job = await running();
    await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'root/d0/t1'))]);
    for (let crash = 1; crash < 3; crash++) {
      await elapse(LEASE_MS + 1);
      expect(await stores.jobs.sweep(HERE)).toMatchObject([{ status: 'pending', crashes: crash }]);
      job = await reclaimed(job.id);
    }
    await elapse(LEASE_MS + 1);

    const [failed] = await stores.jobs.sweep(HERE);

    expect(failed).toMatchObject({ status: 'failed', reason: 'crash_loop', crashes: 3, workerId: null });
    expect(failed?.error).toContain('root/d0/t1');
    expect(failed?.completedAt).not.toBeNull();
    const ends = (await stores.events.readRun(job.id, 0, 20)).filter((event) => event.type === 'run.ended');
    expect(ends).toMatchObject([{ topologyId: 'review', payload: { status: 'failed', reason: 'crash_loop' } }]);
  });

  it('forgets crashes once a step is finished', async () => {
    const { stores, elapse } = world();
    let job = await running();
    await elapse(LEASE_MS + 1);
    await stores.jobs.sweep(HERE);
    job = await reclaimed(job.id);

    await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'root'))]);
    expect((await stores.jobs.get(job.id))?.crashes).toBe(1);
    await stores.runs.commit(fenceOf(job), [endWrite('root', { status: 'ok', value: null })]);

    expect((await stores.jobs.get(job.id))?.crashes).toBe(0);
  });

  it('leaves a crashed manual job stopped, with its end, for an explicit resume', async () => {
    const { stores, ids, elapse } = world();
    const job = await running({ recover: 'manual' });
    await elapse(LEASE_MS + 1);

    const [swept] = await stores.jobs.sweep(HERE);

    expect(swept).toMatchObject({
      status: 'stopped',
      reason: 'process_died',
      error: 'its process died',
      workerId: null,
    });
    expect((await stores.events.readRun(job.id, 0, 10)).map((event) => event.type)).toEqual([
      'run.started',
      'run.parked',
    ]);
    expect(await stores.jobs.claim(claimOf())).toEqual([]);
    expect(await stores.jobs.resume(job.id, resumedEvent(ids.uuid()), claimOf())).toMatchObject({
      status: 'running',
      attempt: 2,
    });
  });

  it('turns a crashed job whose stop was requested into stopped, never back into running', async () => {
    const { stores, ids, elapse } = world();
    const job = await running();
    await stores.jobs.requestStop(job.id, 'ada', stopEvent(ids.uuid()));
    await elapse(LEASE_MS + 1);

    expect(await stores.jobs.sweep(HERE)).toMatchObject([{ status: 'stopped', reason: 'stop_requested' }]);
    expect((await stores.events.readRun(job.id, 0, 10)).map((event) => event.type)).toEqual([
      'run.started',
      'run.stopped',
      'run.parked',
    ]);
  });

  it('makes a crashed manual job claimable again when all are to be recovered, and gives it up at its third crash like any other', async () => {
    const { stores } = world();
    const job = await running({ recover: 'manual' });
    for (const crash of [1, 2]) {
      await world().elapse(61_000);
      expect(await stores.jobs.sweep(HERE, { recoverAll: true })).toMatchObject([
        { id: job.id, status: 'pending', recover: 'manual', crashes: crash },
      ]);
      expect(await stores.jobs.claim(claimOf())).toHaveLength(1);
    }
    await world().elapse(61_000);
    expect(await stores.jobs.sweep(HERE, { recoverAll: true })).toMatchObject([
      { status: 'failed', reason: 'crash_loop' },
    ]);
  });

  it('stops a crashed job that somebody wanted stopped, also when all are to be recovered', async () => {
    const { stores, ids } = world();
    const job = await running({ recover: 'manual' });
    await stores.jobs.requestStop(job.id, 'ada', stopEvent(ids.uuid()));
    await world().elapse(61_000);

    expect(await stores.jobs.sweep(HERE, { recoverAll: true })).toMatchObject([
      { status: 'stopped', reason: 'stop_requested' },
    ]);
  });

  it('does not sweep a job whose heartbeat came in time', async () => {
    const { stores, elapse } = world();
    const job = await running();
    await elapse(LEASE_MS - 1000);
    await stores.jobs.heartbeat(fenceOf(job), LEASE_MS, 0);
    await elapse(LEASE_MS - 1000);

    expect(await stores.jobs.sweep({ ...ELSEWHERE, bootId: 'another boot' })).toEqual([]);
  });
}
