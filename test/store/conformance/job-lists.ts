import { expect, it } from 'vitest';
import type { JobFilter } from '../../../src/domain/ports/stores.js';
import { newJob, stopEvent } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

/** Lists of jobs in one of several statuses. */
export function jobListLaws(world: World): void {
  const idsOf = async (filter: Partial<JobFilter>): Promise<readonly string[]> =>
    (await world().stores.jobs.list({ limit: 10, ...filter })).map(({ id }) => id);

  it('mixes the jobs of all statuses that are asked for, newest first, in pages', async () => {
    const { stores, ids } = world();
    const given: string[] = [];
    for (let n = 0; n < 6; n++) {
      const { id } = await stores.jobs.insert(
        newJob(ids.jobId(), { topology: n % 2 === 0 ? 'even' : 'odd' }),
        n % 3 === 2 ? 'queued' : 'pending',
        [],
      );
      given.push(id);
    }
    for (const id of [given[0]!, given[4]!]) await stores.jobs.requestStop(id, 'ada', stopEvent(ids.uuid()));
    const [stopped0, pending1, queued2, pending3, stopped4, queued5] = given;
    const both = { status: ['stopped', 'pending', 'stopped'] } as const;

    expect(await idsOf(both)).toEqual([stopped4, pending3, pending1, stopped0]);
    expect(await idsOf({ ...both, limit: 2 })).toEqual([stopped4, pending3]);
    expect(await idsOf({ ...both, limit: 2, beforeId: pending3! })).toEqual([pending1, stopped0]);
    expect(await idsOf({ ...both, topology: 'even' })).toEqual([stopped4, stopped0]);
    expect(await idsOf({ status: ['queued', 'failed'] })).toEqual([queued5, queued2]);
    expect(await idsOf({ status: ['queued'], beforeId: queued5! })).toEqual([queued2]);
    expect(await idsOf({ status: ['completed', 'failed'] })).toEqual([]);
    expect(await idsOf({ status: [] })).toEqual([]);
  });
}
