import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import type { RunWrite } from '../../../src/domain/journal.js';
import type { NewJob } from '../../../src/domain/ports/stores.js';
import { parkWrite } from '../../support/review-samples.js';
import {
  claimOf,
  ELSEWHERE,
  endedEvent,
  fenceOf,
  HERE,
  newJob,
  resumedEvent,
  runEndWrite,
  stopEvent,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';
import { MANUAL_START_MS } from '../../support/store-world.js';

const EMPTY = {
  queued: 0,
  running: 0,
  outages: { jobs: 0, nextAt: null },
  oldestQueuedAgeMs: null,
  queueWaitP50Ms: null,
  queueWaitP95Ms: null,
  executionP50Ms: null,
  executionP95Ms: null,
  depthByTopology: {},
  sampleSize: 0,
};

export function queueLaws(world: World): void {
  let nowMs = 0;
  const elapse = async (ms: number): Promise<void> => {
    nowMs += ms;
    await world().elapse(ms);
  };
  const stats = () => world().stores.serving.queueStats();
  const submit = (over: Partial<NewJob> = {}, status: 'pending' | 'queued' = 'queued') =>
    world().stores.jobs.insert(newJob(world().ids.jobId(), over), status, []);
  const claim = async (job: Job): Promise<Job> => {
    const [claimed] = await world().stores.jobs.claim(claimOf({ jobId: job.id }));
    if (claimed === undefined) throw new Error(`${job.id} was not claimed`);
    return claimed;
  };
  const end = (job: Job, status: 'completed' | 'failed' = 'completed') =>
    world().stores.runs.commit(fenceOf(job), [
      runEndWrite([endedEvent(world().ids.uuid(), status)], {
        status,
        endedAt: new Date(MANUAL_START_MS + nowMs).toISOString(),
      }),
    ]);
  /** A run that waited and executed for this long. */
  const run = async (
    waitMs: number,
    executionMs: number,
    status: 'completed' | 'failed' = 'completed',
  ): Promise<void> => {
    const job = await submit();
    await elapse(waitMs);
    const claimed = await claim(job);
    await elapse(executionMs);
    await end(claimed, status);
  };

  it('shows an empty queue as zeros, and as null what there is no sample of', async () => {
    nowMs = 0;
    expect(await stats()).toEqual(EMPTY);
    for (const which of ['live', 'over'] as const) expect(await world().stores.serving.jobCounts(which)).toEqual({});
  });

  it('counts what waits, by topology whatever its version, and what runs', async () => {
    nowMs = 0;
    await submit({ topology: 'review' });
    await elapse(1000);
    await submit({ topology: 'review@2.0.0' }, 'pending');
    await submit({ topology: 'other' });
    await claim(await submit({ topology: 'busy' }));
    const { stores, ids } = world();
    const stopped = await submit({ topology: 'gone' });
    await stores.jobs.requestStop(stopped.id, 'ada', stopEvent(ids.uuid()));
    await elapse(500);

    expect(await stats()).toEqual({
      ...EMPTY,
      queued: 3,
      running: 1,
      oldestQueuedAgeMs: 1500,
      depthByTopology: { review: 2, other: 1 },
    });
  });

  it('does not count as running a run that waits for runs of its own: no slot is taken by it', async () => {
    nowMs = 0;
    const [caller, child] = [await claim(await submit()), await claim(await submit())];
    const waiting: RunWrite = {
      op: 'run.parked',
      waitingOn: [child.id],
      error: '',
      autoResume: true,
      wakeAfterMs: 60_000,
      events: [],
    };
    await world().stores.runs.commit(fenceOf(caller), [waiting]);

    expect(await world().stores.serving.jobCounts('live')).toEqual({ running: 2 });
    expect(await stats()).toMatchObject({ running: 1, outages: { jobs: 0, nextAt: null } });
  });

  it('counts the runs that wait for what is down, and says when the next of them looks', async () => {
    nowMs = 0;
    const due: string[] = [];
    for (const wakeAfterMs of [60_000, 5_000]) {
      const job = await claim(await submit());
      const waitingOn = ['outage:root/d0/t0'];
      const waiting: RunWrite = { op: 'run.parked', waitingOn, error: '', autoResume: true, wakeAfterMs, events: [] };
      await world().stores.runs.commit(fenceOf(job), [waiting]);
      due.push((await world().stores.jobs.get(job.id))?.wakeAt ?? '');
    }

    expect(await stats()).toMatchObject({ running: 0, outages: { jobs: 2, nextAt: due[1] } });
  });

  it('measures how long completed runs waited and executed, by nearest rank', async () => {
    nowMs = 0;
    for (let n = 1; n <= 20; n++) await run(n * 10, n * 100);
    await run(100_000, 100_000, 'failed');

    expect(await stats()).toMatchObject({
      queued: 0,
      running: 0,
      queueWaitP50Ms: 100,
      queueWaitP95Ms: 190,
      executionP50Ms: 1000,
      executionP95Ms: 1900,
      sampleSize: 20,
    });
  });

  it('leaves out runs that were parked, taken over or given back: the time between was neither waiting nor execution', async () => {
    nowMs = 0;
    const { stores, ids } = world();
    await run(10, 100);
    const parked = await claim(await submit());
    await stores.runs.commit(fenceOf(parked), [parkWrite(['gate-1'], ids.uuid())]);
    await elapse(3_600_000);
    expect((await stats()).sampleSize).toBe(1);
    await end(await stores.jobs.resume(parked.id, resumedEvent(ids.uuid()), claimOf()));
    const lost = await stores.jobs.insert(
      newJob(ids.jobId()),
      'pending',
      [],
      claimOf({ host: ELSEWHERE, leaseMs: 10 }),
    );
    await elapse(1000);
    await stores.jobs.sweep(HERE);
    await end(await claim(lost));
    const given = await claim(await submit());
    await stores.jobs.release(fenceOf(given));
    await end(await claim(given));

    expect(await stats()).toMatchObject({ queueWaitP95Ms: 10, executionP95Ms: 100, sampleSize: 1 });
  });

  it('looks at the 500 runs that completed last', async () => {
    nowMs = 0;
    await run(5000, 5000);
    await elapse(1);
    const jobs = await Promise.all(
      Array.from({ length: 500 }, () =>
        world().stores.jobs.insert(newJob(world().ids.jobId()), 'pending', [], claimOf()),
      ),
    );
    await elapse(7);
    await Promise.all(jobs.map((job) => end(job)));

    expect(await stats()).toMatchObject({ queueWaitP95Ms: 0, executionP50Ms: 7, executionP95Ms: 7, sampleSize: 500 });
  }, 30_000);

  it('counts every run by status: those that are over, that wait for a claim, that execute, and that wait for people', async () => {
    nowMs = 0;
    await run(1, 1);
    await run(1, 1);
    await run(1, 1, 'failed');
    await submit();
    await claim(await submit({ priority: 5 }));
    const { stores, ids } = world();
    await stores.jobs.requestStop((await submit()).id, 'ada', stopEvent(ids.uuid()));

    await stores.runs.commit(fenceOf(await claim(await submit())), [parkWrite(['gate-1'], ids.uuid())]);

    expect(await stores.serving.jobCounts('over')).toEqual({ completed: 2, failed: 1, stopped: 1 });
    expect(await stores.serving.jobCounts('live')).toEqual({ queued: 1, running: 1, deferred: 1 });
  });
}
