import { expect, it } from 'vitest';
import type { PromptBounds } from '../../../src/domain/ports/prompts.js';
import { promptOf } from '../../support/prompt-sample.js';
import { claimOf, endedEvent, fenceOf, newJob, runEndWrite, startedEvent } from '../../support/store-samples.js';
import type { World } from './index.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const WIDE: PromptBounds = { count: 100, bytes: 1_000_000, ageMs: 5 * 365 * DAY_MS };

export function promptLaws(world: World): void {
  const buffer = () => world().stores.prompts;
  const keys = async (jobId: string | null = null) => (await buffer().list({ jobId, limit: 100 })).map(({ stepKey }) => stepKey);

  it('gives back what was kept, newest first, of all runs or of one, across a restart', async () => {
    const first = promptOf(1, { skillId: 'say', purpose: 'skill', tries: 3 });
    await buffer().keep([first, promptOf(2)], WIDE);
    await buffer().keep([promptOf(3, { jobId: 'other' })], WIDE);
    await world().reopen();

    expect(await keys()).toEqual(['root/t3', 'root/t2', 'root/t1']);
    expect(await buffer().list({ jobId: 'job', limit: 2 })).toEqual([promptOf(2), first]);
    expect(await buffer().list({ jobId: null, limit: 1 })).toMatchObject([{ jobId: 'other' }]);
    expect(await buffer().count()).toBe(3);
  });

  it('holds no more than its bounds: by count, by bytes and by age, and the newest always', async () => {
    await buffer().keep(
      [1, 2, 3, 4].map((n) => promptOf(n)),
      { ...WIDE, count: 3 },
    );
    expect(await keys()).toEqual(['root/t4', 'root/t3', 'root/t2']);

    await buffer().keep([promptOf(5, { answer: JSON.stringify('x'.repeat(5000)) })], { ...WIDE, bytes: 1000 });
    expect(await keys()).toEqual(['root/t5']);

    await buffer().keep([promptOf(6, { askedAt: '2010-12-24T00:00:00.000Z' })], WIDE);
    expect(await keys()).toEqual(['root/t5']);
  });

  it('loses the calls of a run with the results of that run, and with the run', async () => {
    const { stores, ids } = world();
    const [pruned, removed] = [ids.jobId(), ids.jobId()];
    for (const id of [pruned, removed]) {
      const job = await stores.jobs.insert(newJob(id), 'pending', [startedEvent(ids.uuid())], claimOf());
      await buffer().keep([promptOf(1, { jobId: id })], WIDE);
      await stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(ids.uuid())])]);
      if (id === pruned) await stores.runs.prune({ endedBefore: '2030-01-01T00:00:00.000Z', limit: 10 });
    }
    expect(await keys(pruned)).toEqual([]);
    expect(await keys(removed)).toHaveLength(1);

    // The run that was submitted last never goes.
    await stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())]);
    await world().elapse(2 * DAY_MS);
    await stores.retention.prune({ olderThanDays: 1 }, () => {});
    expect(await stores.jobs.get(removed)).toBeNull();
    expect(await keys(removed)).toEqual([]);
  });
}
