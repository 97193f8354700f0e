import { expect, it } from 'vitest';
import type { Job } from '../../src/domain/job.js';
import type { StepOutcome } from '../../src/domain/journal.js';
import { openGuardedStore } from '../support/guards/guarded-store.js';
import {
  claimOf,
  createIds,
  endedEvent,
  endWrite,
  fenceOf,
  messageEvent,
  newJob,
  runEndWrite,
  startedEvent,
  startWrite,
  stepOf,
} from '../support/store-samples.js';

const DONE: StepOutcome = { status: 'ok', value: 'x' };

it('a run of one step on PostgreSQL waits for the server as often as the table says', async () => {
  const { stores, counter, close } = await openGuardedStore('postgres');
  const ids = createIds();
  const { offers, ...claim } = claimOf();
  const takeRun = async (): Promise<Readonly<Record<string, number>>> => {
    const counts: Record<string, number> = {};
    const count = async <T>(name: string, work: Promise<T>): Promise<T> => {
      const done = await work;
      counts[name] = counter.roundTrips();
      return done;
    };
    counter.roundTrips();
    const id = ids.jobId();
    await count('submit', stores.jobs.insert(newJob(id), 'queued', [startedEvent(ids.uuid())]));
    const [job] = await count('claim', stores.jobs.claim({ ...claim, offersFor: async () => offers }));
    const fence = fenceOf(job as Job);
    const say = (text: string) => [messageEvent(ids.uuid(), text, 'root')];
    await count('start', stores.runs.commit(fence, [startWrite(stepOf(id, 'root'), say('begins'))]));
    await count(
      'step',
      stores.runs.commit(fence, [endWrite('root', DONE, say('done')), startWrite(stepOf(id, 'b'), [])]),
    );
    await count('beat', stores.jobs.heartbeat(fence, 60_000, 1));
    await count('next', stores.runs.commit(fence, [endWrite('b', DONE, say('more'))]));
    const lastBeat = stores.jobs.heartbeat(fence, 60_000, 1);
    await count('end', Promise.all([lastBeat, stores.runs.commit(fence, [runEndWrite([endedEvent(ids.uuid())])])]));
    return counts;
  };
  try {
    await takeRun();
    await takeRun();

    expect(await takeRun()).toEqual({ submit: 1, claim: 1, start: 1, step: 1, beat: 2, next: 1, end: 1 });
  } finally {
    await close();
  }
});

it('a submit to a queue that is bounded waits once as well, and three times where it was full', async () => {
  const { stores, counter, close } = await openGuardedStore('postgres');
  const ids = createIds();
  const submit = () =>
    stores.jobs.insert(newJob(ids.jobId()), 'queued', [startedEvent(ids.uuid())], undefined, { maxQueued: 4 });
  try {
    await submit();
    counter.roundTrips();
    await submit();
    expect(counter.roundTrips()).toBe(1);

    await Promise.all([submit(), submit()]);
    await expect(submit()).rejects.toMatchObject({ code: 'KIT_QUEUE_FULL' });
    const { offers, ...claim } = claimOf({ limit: 1 });
    await stores.jobs.claim({ ...claim, offersFor: async () => offers });
    counter.roundTrips();
    await submit();
    expect(counter.roundTrips()).toBe(3);
    await expect(submit()).rejects.toMatchObject({ code: 'KIT_QUEUE_FULL' });
  } finally {
    await close();
  }
});
