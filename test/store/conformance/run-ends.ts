import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import type { RunWrite } from '../../../src/domain/journal.js';
import { committed } from '../../support/committed.js';
import {
  claimOf,
  endedEvent,
  endWrite,
  fenceOf,
  messageEvent,
  newJob,
  resumedEvent,
  runEndWrite,
  startWrite,
  stepOf,
  stopEvent,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

export function runEndLaws(world: World): void {
  const running = (): Promise<Job> => world().stores.jobs.insert(newJob(world().ids.jobId()), 'pending', [], claimOf());
  const typesOf = async (jobId: string): Promise<string[]> =>
    (await world().stores.events.readRun(jobId, 0, 100)).map((event) => event.type);

  it('sets the columns of the job with the end of its run, in the commit of the last step', async () => {
    const { stores, ids } = world();
    const job = await running();
    const usage = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3, reasoningTokens: 4, costUsd: null };
    const diffs = { coder: '+one\n', tester: '-two\n' };
    await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'root'))]);

    await stores.runs.commit(fenceOf(job), [
      endWrite('root', { status: 'ok', value: 'answer' }),
      runEndWrite([endedEvent(ids.uuid())], { output: 'answer', usage, diffs }),
    ]);

    expect(await stores.jobs.get(job.id)).toMatchObject({
      status: 'completed',
      output: 'answer',
      usage,
      diffLength: 10,
      leaseUntil: null,
      workerId: 'w1',
      // What retention goes by is told by the clock of the store, not by that of the worker.
      completedAt: job.createdAt,
      parkedAt: null,
    });
    expect(await stores.jobs.diffs(job.id)).toEqual(diffs);
    expect(await typesOf(job.id)).toEqual(['run.ended']);
  });

  it('knows no diffs of a run without a harness, nor of one that does not exist', async () => {
    const { stores, ids } = world();
    const job = await running();
    await stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(ids.uuid())])]);

    expect((await stores.jobs.get(job.id))?.diffLength).toBeNull();
    expect(await stores.jobs.diffs(job.id)).toBeNull();
    expect(await stores.jobs.diffs('000000000000')).toBeNull();
  });

  it('refuses every write of a run that has ended', async () => {
    const { stores, ids } = world();
    const job = await running();
    await stores.runs.commit(fenceOf(job), [
      runEndWrite([endedEvent(ids.uuid(), 'failed')], {
        status: 'failed',
        reason: 'timeout',
        error: 'too slow',
        output: null,
      }),
    ]);

    await expect(stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'late'))])).rejects.toMatchObject({
      code: 'KIT_LEASE_LOST',
    });
    await expect(stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(ids.uuid())])])).rejects.toMatchObject({
      code: 'KIT_LEASE_LOST',
    });

    expect(await stores.jobs.get(job.id)).toMatchObject({ status: 'failed', reason: 'timeout', error: 'too slow' });
    expect(await typesOf(job.id)).toEqual(['run.ended']);
    expect(await stores.jobs.sweep({ hostname: 'x', bootId: 'y', pid: 1, processStart: '1' })).toEqual([]);
    await expect(stores.jobs.resume(job.id, resumedEvent(ids.uuid()))).rejects.toMatchObject({
      code: 'KIT_JOB_NOT_RESUMABLE',
    });
  });

  it.each([
    ['no run.ended event', (): RunWrite => runEndWrite([messageEvent('e-1', 'x')])],
    ['two run.ended events', (): RunWrite => runEndWrite([endedEvent('e-1'), endedEvent('e-2')])],
    ['a run.ended event of another status', (): RunWrite => runEndWrite([endedEvent('e-1', 'failed')])],
  ])('refuses an end with %s', async (_, write) => {
    const { stores } = world();
    const job = await running();

    await expect(stores.runs.commit(fenceOf(job), [write()])).rejects.toMatchObject({ code: 'KIT_INTERNAL' });

    expect((await stores.jobs.get(job.id))?.status).toBe('running');
    expect(await typesOf(job.id)).toEqual([]);
  });

  it('gives a run that is stopped, resumed and finished one end', async () => {
    const { stores, ids } = world();
    const job = await running();
    await stores.runs.commit(fenceOf(job), [
      runEndWrite([endedEvent('end-1', 'stopped')], { status: 'stopped', reason: 'stop_requested', output: null }),
    ]);
    expect(await stores.jobs.get(job.id)).toMatchObject({
      status: 'stopped',
      workerId: null,
      completedAt: null,
      parkedAt: job.createdAt,
    });
    const again = await stores.jobs.resume(job.id, resumedEvent(ids.uuid()), claimOf());

    await expect(stores.runs.commit(fenceOf(again), [runEndWrite([endedEvent('end-1')])])).rejects.toMatchObject({
      code: 'KIT_INTERNAL',
    });
    await stores.runs.commit(fenceOf(again), [runEndWrite([endedEvent('end-2')])]);

    expect(await typesOf(job.id)).toEqual(['run.parked', 'run.resumed', 'run.ended']);
    expect((await stores.jobs.get(job.id))?.status).toBe('completed');
  });

  const parked = (events: Parameters<typeof runEndWrite>[0] = []): RunWrite => ({
    op: 'run.parked',
    waitingOn: ['g-2', 'g-1'],
    error: 'waits for g-2 and g-1',
    autoResume: true,
    events,
  });

  it('parks a run with the set of what it waits for, and lets go of it', async () => {
    const { stores, ids } = world();
    const job = await running();

    await stores.runs.commit(fenceOf(job), [parked([messageEvent(ids.uuid(), 'gate')])]);

    expect(await stores.jobs.get(job.id)).toMatchObject({
      status: 'deferred',
      waitingOn: ['g-2', 'g-1'],
      error: 'waits for g-2 and g-1',
      workerId: null,
      leaseUntil: null,
    });
    expect((await stores.jobs.get(job.id))?.parkedAt).not.toBeNull();
    await expect(stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'late'))])).rejects.toMatchObject({
      code: 'KIT_LEASE_LOST',
    });
    expect(await stores.jobs.claim(claimOf())).toEqual([]);
    expect(await stores.jobs.resume(job.id, resumedEvent(ids.uuid()))).toMatchObject({
      status: 'pending',
      waitingOn: [],
      error: null,
    });
  });

  it('ends a run that parks after its stop was requested', async () => {
    const { stores, ids } = world();
    const job = await running();
    await stores.jobs.requestStop(job.id, 'ada', stopEvent(ids.uuid()));

    const stored = await committed(stores, fenceOf(job), [parked()]);

    expect(stored.map((event) => event.type)).toEqual(['run.parked']);
    expect(await stores.jobs.get(job.id)).toMatchObject({ status: 'stopped', reason: 'stop_requested', waitingOn: [] });
    expect(await typesOf(job.id)).toEqual(['run.stopped', 'run.parked']);
  });

  it('stops a parked run at once', async () => {
    const { stores, ids } = world();
    const job = await running();
    await stores.runs.commit(fenceOf(job), [parked()]);

    expect(await stores.jobs.requestStop(job.id, 'ada', stopEvent(ids.uuid()))).toMatchObject({
      alreadyRequested: false,
      job: { status: 'stopped' },
    });
    expect(await typesOf(job.id)).toEqual(['run.stopped', 'run.parked']);
  });

  it.each(['completed', 'stopped'] as const)(
    'refuses the event of an end (%s) at every other entry point',
    async (status) => {
      const { stores, ids } = world();
      const job = await running();
      const refused = { code: 'KIT_INTERNAL' };
      const end = endedEvent('e-1', status);

      await expect(stores.jobs.insert(newJob(ids.jobId()), 'pending', [end])).rejects.toMatchObject(refused);
      await expect(stores.jobs.requestStop(job.id, 'ada', end)).rejects.toMatchObject(refused);
      await expect(stores.events.append(end, {})).rejects.toMatchObject(refused);
      await expect(stores.runs.commit(fenceOf(job), [parked([end])])).rejects.toMatchObject(refused);
      expect(await typesOf(job.id)).toEqual([]);
    },
  );
}
