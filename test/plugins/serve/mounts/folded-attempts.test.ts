import { afterEach, beforeEach, expect, it } from 'vitest';
import { openReviewServer, type ReviewServer } from '../../../support/http/review-server.js';

let desk: ReviewServer;
beforeEach(async () => {
  desk = await openReviewServer();
});
afterEach(() => desk.world.dispose());

it('writes a refused attempt that is repeated once, with the words of the first', async () => {
  const { job, gate } = await desk.world.parked();
  const qa = `/review/${encodeURIComponent(`mpa-${gate.gateId}-0-qa`)}/resolve`;
  const before = await desk.world.typesOf(job.id);
  for (const comment of ['first', 'second', 'third'])
    expect((await desk.post(qa, { outcome: 'approve', comment }, 'stranger')).status).toBe(403);
  for (const outcome of ['one', 'two']) await desk.post(qa, { outcome }, 'qa-1');

  const events = await desk.world.sqlite.stores.events.readRun(job.id, before.length, 10);
  expect(events.map(({ payload }) => payload)).toMatchObject([
    { identity: 'stranger', allowed: false, comment: 'first' },
    { identity: 'qa-1', allowed: false, outcome: 'one' },
  ]);

  for (let n = 0; n < 3; n += 1) expect((await desk.post(qa, { outcome: 'approve' }, 'qa-1')).status).toBe(200);
  const types = (await desk.world.typesOf(job.id)).slice(before.length + 2);
  // The decision, and one for all its repetitions.
  expect(types.filter((type) => type === 'approval.role_task_resolved')).toHaveLength(2);
});
