import { expect, it } from 'vitest';
import type { Once, QueueLimit } from '../../../src/domain/ports/stores.js';
import { claimOf, newJob, startedEvent, stopEvent } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const onceOf = (key: string): Once => ({ clientId: 'ada', key, digest: 'd'.repeat(64) });
const FULL = { code: 'KIT_QUEUE_FULL', data: { maxQueueDepth: 3 } };
const LIMIT: QueueLimit = { maxQueued: 3 };

export function admissionLaws(world: World): void {
  const insert = (limit?: QueueLimit) => {
    const { stores, ids } = world();
    return stores.jobs.insert(newJob(ids.jobId()), 'queued', [startedEvent(ids.uuid())], undefined, limit);
  };
  const insertOnce = (key: string, limit?: QueueLimit) => {
    const { stores, ids } = world();
    return stores.jobs.insertOnce(onceOf(key), newJob(ids.jobId()), 'queued', [startedEvent(ids.uuid())], limit);
  };
  const written = async () => {
    const { stores } = world();
    return { jobs: await stores.jobs.list({ limit: 100 }), events: (await stores.events.read({ limit: 100 })).events };
  };

  it('takes as many as may wait, of submits at the same time with and without a key, and refuses the rest without a trace', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? insert(LIMIT) : insertOnce(`k${n}`, LIMIT))),
    );

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(FULL);
    const { jobs, events } = await written();
    expect([jobs.length, events.length]).toEqual([3, 3]);
    for (const n of [1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) {
      const found = await world().stores.jobs.findOnce(onceOf(`k${n}`));
      if (found !== null) expect(jobs.map(({ id }) => id)).toContain(found.id);
    }
  });

  it('counts runs that wait and nothing else', async () => {
    const { stores } = world();
    await insert(LIMIT);
    await insert(LIMIT);
    const { id } = await insert(LIMIT);
    await expect(insert(LIMIT)).rejects.toMatchObject(FULL);

    await stores.jobs.requestStop(id, 'ada', stopEvent(world().ids.uuid()));
    await insert(LIMIT);
    await expect(insertOnce('late', LIMIT)).rejects.toMatchObject(FULL);
    expect(await stores.jobs.claim(claimOf({ limit: 2 }))).toHaveLength(2);
    await insert(LIMIT);
    await insertOnce('late', LIMIT);
    await expect(insert(LIMIT)).rejects.toMatchObject(FULL);
  });

  it('answers a key that was used however many wait, also to requests at the same time', async () => {
    const first = await insertOnce('order', LIMIT);
    await insert(LIMIT);
    const together = await Promise.all(Array.from({ length: 10 }, () => insertOnce('pair', LIMIT)));

    expect(together.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(new Set(together.map(({ job }) => job.id)).size).toBe(1);
    await expect(insert(LIMIT)).rejects.toMatchObject(FULL);
    expect(await insertOnce('order', LIMIT)).toEqual({ job: first.job, repeated: true });
  });

  it('refuses no run that is resumed or given back, and no submit without a bound', async () => {
    const { stores, ids } = world();
    const stopped = await insert();
    await stores.jobs.requestStop(stopped.id, 'ada', stopEvent(ids.uuid()));
    for (let n = 0; n < 3; n += 1) await insert(LIMIT);

    expect(
      await stores.jobs.resume(stopped.id, {
        ...startedEvent(ids.uuid()),
        type: 'run.resumed',
        payload: { requested_by: 'ada', from_status: 'stopped' },
      }),
    ).toMatchObject({ status: 'queued' });
    await insert();
    expect((await written()).jobs.filter(({ status }) => status === 'queued')).toHaveLength(5);
    await expect(insert(LIMIT)).rejects.toMatchObject(FULL);
  });
}
