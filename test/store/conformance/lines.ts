import { expect, it } from 'vitest';
import type { Submitter } from '../../../src/domain/job.js';
import { newJob } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const by = (identity: string, assurance: Submitter['assurance'] = 'asserted'): Submitter => ({ identity, assurance });

/** Runs that go on from other runs: forks, retries, and what supersedes. */
export function lineLaws(world: World): void {
  const insert = async (parentJobId: string | null, submittedBy: Submitter) => {
    const { stores, ids } = world();
    return stores.jobs.insert(newJob(ids.jobId(), { parentJobId, submittedBy }), 'queued', []);
  };

  it('keeps what the entry point called the submitter, in the row and in what people decide on', async () => {
    const named = { ...by('ada', 'authenticated'), clientName: 'Ada L.' };
    const job = await insert(null, named);
    expect(job.submittedBy).toEqual(named);
    expect((await world().stores.reviews.state(job.id))?.job.submittedBy).toEqual(named);
    expect((await insert(null, by('bob'))).submittedBy).not.toHaveProperty('clientName');
  });

  it('keeps with a run who submitted those before it, each person once, oldest first', async () => {
    const first = await insert(null, by('alice', 'authenticated'));
    const second = await insert(first.id, by('o\'neill " ü'));
    const third = await insert(second.id, by('alice', 'authenticated'));
    const fourth = await insert(third.id, by('dev'));
    await world().reopen();

    const line = [
      { jobId: first.id, submittedBy: by('alice', 'authenticated') },
      { jobId: second.id, submittedBy: by('o\'neill " ü') },
    ];
    expect(first.earlier).toEqual([]);
    expect(second.earlier).toEqual(line.slice(0, 1));
    expect((await world().stores.jobs.get(third.id))?.earlier).toEqual(line);
    expect(fourth.earlier).toEqual(line);
    expect((await world().stores.reviews.state(fourth.id))?.job.earlier).toEqual(line);
  });

  it('is kept by the runs that a run of it asks for', async () => {
    const first = await insert(null, by('alice'));
    const second = await insert(first.id, by('bob'));
    const { stores, ids } = world();
    const child = newJob(ids.jobId(), { callerJobId: second.id, source: 'agent', submittedBy: by('carol') });

    expect((await stores.jobs.insert(child, 'queued', [])).earlier.map(({ submittedBy }) => submittedBy)).toEqual([
      by('alice'),
      by('bob'),
    ]);
    expect(await stores.jobs.get(child.id)).toMatchObject({ parentJobId: null, callerJobId: second.id });
  });

  it('has nobody before a run whose parent is none', async () => {
    expect((await insert('gone', by('alice'))).earlier).toEqual([]);
  });
}
