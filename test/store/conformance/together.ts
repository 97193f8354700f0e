import { expect, it } from 'vitest';
import type { ReviewState } from '../../../src/domain/gates.js';
import type { Job } from '../../../src/domain/job.js';
import { decisionOf, gateOf, nothing, openingOf, openWrite, taskOf } from '../../support/review-samples.js';
import { claimOf, endWrite, fenceOf, newJob, startWrite, stepOf } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

/** What is asked of several runs in one turn is put together, and each gets what is its own. */
export function togetherLaws(world: World): void {
  it('gives each of several runs that are asked about at once what is its own', async () => {
    const { stores } = world();
    const ids = [world().ids.jobId(), world().ids.jobId(), world().ids.jobId()];
    for (const [at, id] of ids.entries()) {
      const job = await stores.jobs.insert(newJob(id), 'pending', [], claimOf());
      for (let call = 0; call < at; call += 1)
        await stores.runs.commit(fenceOf(job), [startWrite(stepOf(id, `root/d0/t${call}`))]);
      for (let call = 0; call < at; call += 1)
        await stores.runs.commit(fenceOf(job), [endWrite(`root/d0/t${call}`, { status: 'ok', value: call })]);
    }

    const asked = await Promise.all([...ids, 'ffffffffffff'].map((id) => stores.runs.produced(id)));

    expect(asked.map((rows) => rows.map(({ key }) => key))).toEqual([
      [],
      ['root/d0/t0'],
      ['root/d0/t0', 'root/d0/t1'],
      [],
    ]);
  });

  it('tells of each of several runs what it tells of one', async () => {
    const { stores } = world();
    const running = (): Promise<Job> => stores.jobs.insert(newJob(world().ids.jobId()), 'pending', [], claimOf());
    const runs = [await running(), await running(), await running()];
    for (const job of runs.slice(0, 2)) {
      const gate = gateOf(job.id);
      await stores.runs.commit(fenceOf(job), [openWrite(openingOf(gate))]);
    }
    const [decided] = runs;
    if (decided === undefined) throw new Error('no run');
    const made = decisionOf(taskOf(gateOf(decided.id), 'qa'), 'decision-1');
    await stores.reviews.change(decided.id, () => ({ ...nothing(null), decisions: [made] }));
    const one: (ReviewState | null)[] = [];
    for (const { id } of runs) one.push(await stores.reviews.state(id));

    const all = await Promise.all([...runs.map(({ id }) => id), 'ffffffffffff'].map((id) => stores.reviews.state(id)));

    expect(all).toEqual([...one, null]);
    expect(all.map((state) => [state?.gates.length, state?.items.length, state?.decisions.length])).toEqual([
      [1, 2, 1],
      [1, 2, 0],
      [0, 0, 0],
      [undefined, undefined, undefined],
    ]);
  });
}
