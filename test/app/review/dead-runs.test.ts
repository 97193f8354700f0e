import { expect, it, onTestFinished } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import { openReviewWorld, type ReviewWorld } from '../../support/review-world.js';
import { claimOf, newJob, startedEvent } from '../../support/store-samples.js';

/** A run whose process is gone, which nobody may revive unless `server.jobs.recover` says so. */
async function deadRun(world: ReviewWorld): Promise<Job> {
  const { ids, stores } = world.sqlite;
  const job = await stores.jobs.insert(
    newJob(ids.jobId(), { recover: 'manual' }),
    'pending',
    [startedEvent(ids.uuid())],
    claimOf({ leaseMs: 1000 }),
  );
  world.elapse(2000);
  return job;
}

it.each([
  ['ends what it finds dead where no server does', undefined, 'stopped'],
  ['leaves dead runs to the server of its process, which may revive them', () => true, 'running'],
] as const)('a look at the reviews %s', async (_name, isSwept, status) => {
  const world = await openReviewWorld(isSwept === undefined ? {} : { isSwept });
  onTestFinished(() => world.dispose());
  const { id } = await deadRun(world);
  await world.app.list({ workspace: '/nowhere', kind: null, gate: null, show: 'all', limit: 10, afterId: null });
  expect((await world.sqlite.stores.jobs.get(id))?.status).toBe(status);
});
