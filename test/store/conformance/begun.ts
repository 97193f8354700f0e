import { expect, it } from 'vitest';
import type { StepRow } from '../../../src/domain/journal.js';
import type { Json } from '../../../src/domain/json.js';
import { claimOf, fenceOf, newJob, startedEvent, startWrite, stepOf } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

export function begunLaws(world: World): void {
  it('inserts a run that begins with a journal whole: claimed for the second time, with its steps, or not at all', async () => {
    const { stores, ids } = world();
    const id = ids.jobId();
    const ended = (key: string, value: Json): StepRow =>
      stepOf(id, key, { outcome: { status: 'ok', value }, endedAt: '2026-01-02T03:04:06.000Z' });
    const steps = [ended('root/a', 'short'), ended('root/b', 'x'.repeat(100_000))];
    const started = startedEvent(ids.uuid());

    const job = await stores.jobs.insertBegun(
      newJob(id),
      { status: 'pending', events: [started], steps },
      { kind: 'claimed', claim: claimOf({ workerId: 'me' }) },
    );
    await expect(
      stores.jobs.insertBegun(
        newJob(id),
        { status: 'pending', events: [], steps },
        { kind: 'claimed', claim: claimOf() },
      ),
    ).rejects.toMatchObject({
      code: 'KIT_JOB_ID_USED',
    });
    const other = ids.jobId();
    const foreign = stores.jobs.insertBegun(
      newJob(other),
      { status: 'pending', events: [], steps },
      { kind: 'claimed', claim: claimOf() },
    );
    await expect(foreign).rejects.toThrow('belongs to run');
    await world().reopen();

    expect(job).toMatchObject({ id, status: 'running', workerId: 'me', attempt: 2 });
    expect(await world().stores.jobs.get(id)).toEqual(job);
    expect(await world().stores.runs.load(id)).toEqual(steps);
    expect((await world().stores.events.readRun(id, 0, 10)).map(({ eventId }) => eventId)).toEqual([started.eventId]);
    expect(await world().stores.jobs.get(other)).toBeNull();
    await world().stores.runs.commit(fenceOf(job), [startWrite(stepOf(id, 'root'))]);
    expect(await world().stores.runs.load(id)).toHaveLength(3);
  });

  it('inserts a run that begins with a journal for whoever claims it, without asking what this process offers', async () => {
    const { stores, ids } = world();
    const id = ids.jobId();
    const steps = [stepOf(id, 'root/a', { outcome: { status: 'ok', value: 1 }, endedAt: '2026-01-02T03:04:06.000Z' })];
    const job = newJob(id, { needs: { plugins: {}, adapters: {}, references: { 'variable:KEY': 'a model' } } });
    const offers = { plugins: {}, adapters: {}, references: [] };
    const begun = { status: 'queued', events: [startedEvent(ids.uuid())], steps } as const;

    const inserted = await stores.jobs.insertBegun(job, begun, { kind: 'waiting', writer: claimOf() });

    expect(inserted).toMatchObject({ status: 'queued', workerId: null, attempt: 1 });
    expect(await stores.jobs.claim(claimOf({ offers }))).toEqual([]);
    const has = { ...offers, references: ['variable:KEY'] };
    expect(await stores.jobs.claim(claimOf({ workerId: 'w', offers: has }))).toMatchObject([{ id, attempt: 2 }]);
    expect(await stores.runs.load(id)).toEqual(steps);
  });
}
