import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobClass } from '../../../src/domain/job.js';
import { openPostgresWorld, type PostgresWorld } from '../../support/postgres-world.js';
import { parkWrite } from '../../support/review-samples.js';
import { claimOf, endedEvent, fenceOf, newJob, runEndWrite } from '../../support/store-samples.js';
import { scalerQueries } from './files.js';

let world: PostgresWorld;
beforeEach(async () => {
  world = await openPostgresWorld();
});
afterEach(() => world.dispose());

const submit = (jobClass: JobClass, status: 'pending' | 'queued') =>
  world.stores.jobs.insert(newJob(world.ids.jobId(), { jobClass, priority: 0 }), status, []);

/** Claims the runs of a class that wait, oldest first. */
async function claim(jobClass: JobClass, limit: number) {
  return world.stores.jobs.claim(claimOf({ jobClass, limit }));
}

async function counted(): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const [jobClass, query] of scalerQueries()) {
    const [row] = await world.database.query<{ count: string }>(query);
    counts[jobClass] = Number(row?.count);
  }
  return counts;
}

describe('the query by which the autoscaler counts runs', () => {
  it('counts what waits or is executed, by class, and neither what is parked nor what has ended', async () => {
    expect(await counted()).toEqual({ model: 0, harness: 0 });

    for (let n = 0; n < 10; n += 1) await submit('model', n % 2 === 0 ? 'queued' : 'pending');
    for (let n = 0; n < 3; n += 1) await submit('harness', 'queued');
    expect(await counted()).toEqual({ model: 10, harness: 3 });

    const [parked, done, ...working] = await claim('model', 4);
    if (parked === undefined || done === undefined) throw new Error('nothing was claimed');
    expect(working).toHaveLength(2);
    expect(await counted()).toEqual({ model: 10, harness: 3 });

    await world.stores.runs.commit(fenceOf(parked), [parkWrite([], world.ids.uuid())]);
    await world.stores.runs.commit(fenceOf(done), [
      runEndWrite([endedEvent(world.ids.uuid(), 'completed')], {
        status: 'completed',
        endedAt: '2026-01-02T03:04:05.000Z',
      }),
    ]);
    expect(await counted()).toEqual({ model: 8, harness: 3 });
  });
});
