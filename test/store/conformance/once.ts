import { expect, it } from 'vitest';
import type { Once } from '../../../src/domain/ports/stores.js';
import { ONCE_MS } from '../../../src/store/once.js';
import { endedEvent, newJob, startedEvent, stopEvent } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const ONCE: Once = { clientId: 'ada', key: 'order-17', digest: 'd'.repeat(64) };
const RACERS = 20;

export function onceLaws(world: World): void {
  const submit = (once: Once) => {
    const { stores, ids } = world();
    return stores.jobs.insertOnce(once, newJob(ids.jobId()), 'queued', [startedEvent(ids.uuid())]);
  };
  const written = async () => {
    const { stores } = world();
    return { jobs: await stores.jobs.list({ limit: 100 }), events: (await stores.events.read({ limit: 100 })).events };
  };

  it('inserts a job under a key as it inserts any other', async () => {
    const { stores } = world();

    const { job, repeated } = await submit(ONCE);

    expect(repeated).toBe(false);
    expect(job).toMatchObject({ status: 'queued', attempt: 0, topology: 'review' });
    expect(await stores.jobs.get(job.id)).toEqual(job);
    expect((await stores.events.readRun(job.id, 0, 10)).map((event) => [event.type, event.seq])).toEqual([
      ['run.started', 1],
    ]);
  });

  it('answers the first job to the same request under the same key, and writes nothing', async () => {
    const first = await submit(ONCE);
    const before = await written();

    const again = await submit(ONCE);

    expect(again).toEqual({ job: first.job, repeated: true });
    expect(await world().stores.jobs.findOnce(ONCE)).toEqual(first.job);
    expect(await written()).toEqual(before);
  });

  it('answers a repeated request with the job as it has become', async () => {
    const { stores, ids } = world();
    const { job } = await submit(ONCE);
    await stores.jobs.requestStop(job.id, 'ada', stopEvent(ids.uuid()));

    expect((await submit(ONCE)).job).toMatchObject({ id: job.id, status: 'stopped' });
  });

  it('refuses another request under the same key, and writes nothing', async () => {
    const { job } = await submit(ONCE);
    const before = await written();
    const other = { ...ONCE, digest: 'e'.repeat(64) };

    const refusal = { code: 'KIT_IDEMPOTENCY_CONFLICT', data: { job_id: job.id } };
    await expect(submit(other)).rejects.toMatchObject(refusal);
    await expect(world().stores.jobs.findOnce(other)).rejects.toMatchObject(refusal);
    expect(await written()).toEqual(before);
    expect((await submit(ONCE)).repeated).toBe(true);
  });

  it.each([
    ['another client', { ...ONCE, clientId: 'bob' }],
    ['another key', { ...ONCE, key: 'order-18' }],
    ['a client and a key that read alike when they are put together', { ...ONCE, clientId: 'adaorder', key: '-17' }],
    ['a client whose name holds what separates them', { ...ONCE, clientId: 'ada","order-17', key: '' }],
    ['the same key in other letters', { ...ONCE, key: 'ORDER-17' }],
    ['text that one of the databases cannot hold', { ...ONCE, key: 'order-17\u0000' }],
    ['a key of many thousand characters', { ...ONCE, key: 'k'.repeat(20_000) }],
  ])('keeps apart: %s', async (_, other) => {
    const { job } = await submit(ONCE);
    expect(await world().stores.jobs.findOnce(other)).toBeNull();

    const second = await submit(other);

    expect(second.repeated).toBe(false);
    expect(second.job.id).not.toBe(job.id);
    expect((await submit(other)).job.id).toBe(second.job.id);
  });

  it('forgets a key after 24 hours of its own clock, not earlier', async () => {
    const { stores, elapse } = world();
    const first = await submit(ONCE);
    await elapse(ONCE_MS - 1);
    expect((await submit(ONCE)).job.id).toBe(first.job.id);

    await elapse(1);

    expect(await stores.jobs.findOnce(ONCE)).toBeNull();
    const second = await submit({ ...ONCE, digest: 'e'.repeat(64) });
    expect(second.repeated).toBe(false);
    await expect(submit(ONCE)).rejects.toMatchObject({
      code: 'KIT_IDEMPOTENCY_CONFLICT',
      data: { job_id: second.job.id },
    });
  });

  it('knows a key that is kept with its job however late, beside others that are forgotten', async () => {
    const kept = { ...ONCE, isKept: true };
    const { job } = await submit(kept);
    const { elapse, stores } = world();
    for (let day = 0; day < 3; day++) {
      await elapse(ONCE_MS + 1);
      // A new key takes old ones with it.
      await submit({ ...ONCE, key: `order-${day}` });
    }

    expect(await submit(kept)).toEqual({ job, repeated: true });
    await expect(stores.jobs.findOnce({ ...kept, digest: 'e'.repeat(64) })).rejects.toMatchObject({
      code: 'KIT_IDEMPOTENCY_CONFLICT',
    });
  });

  it('makes one job of many requests that race', async () => {
    const answers = await Promise.all(Array.from({ length: RACERS }, () => submit(ONCE)));

    expect(new Set(answers.map(({ job }) => job.id)).size).toBe(1);
    expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(await written()).toMatchObject({ jobs: [{ id: answers[0]?.job.id }], events: [{ type: 'run.started' }] });
  });

  it('lets one of two different requests win when they race, and tells the other', async () => {
    const answers = await Promise.allSettled([submit(ONCE), submit({ ...ONCE, digest: 'e'.repeat(64) })]);

    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await written()).jobs).toHaveLength(1);
  });

  it('leaves a key free when its job could not be inserted', async () => {
    const { stores, ids } = world();
    const used = newJob(ids.jobId());
    await stores.jobs.insert(used, 'pending', []);

    await expect(stores.jobs.insertOnce(ONCE, used, 'pending', [])).rejects.toMatchObject({ code: 'KIT_JOB_ID_USED' });
    await expect(
      stores.jobs.insertOnce(ONCE, newJob(ids.jobId()), 'pending', [endedEvent(ids.uuid())]),
    ).rejects.toThrow();

    expect(await stores.jobs.findOnce(ONCE)).toBeNull();
    expect((await submit(ONCE)).repeated).toBe(false);
  });

  it('knows a key after it was opened again', async () => {
    const { job } = await submit(ONCE);
    await world().reopen();
    expect(await world().stores.jobs.findOnce(ONCE)).toEqual(job);
  });
}
