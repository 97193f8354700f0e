import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openReviewServer, type ReviewServer } from '../../../support/http/review-server.js';

let desk: ReviewServer;
beforeEach(async () => {
  desk = await openReviewServer();
});
afterEach(() => desk.world.dispose());

it.each([
  ['altered', (file: string) => writeFile(file, 'other'), 'have another digest'],
  ['gone', (file: string) => rm(file), 'are gone from the store'],
])('refuses a decision about bytes that are %s, and leaves the log as it is', async (_what, spoil, why) => {
  const { job, gate } = await desk.world.parked();
  const before = await desk.world.typesOf(job.id);
  await spoil(join(desk.world.sqlite.stateDir, 'blobs', gate.sha256.slice(0, 2), gate.sha256));

  const id = encodeURIComponent(`mpa-${gate.gateId}-0-qa`);
  const answer = await desk.post(`/review/${id}/resolve`, { outcome: 'approve' });

  expect(answer).toMatchObject({
    status: 500,
    body: { code: 'artifact-corrupt', detail: expect.stringContaining(why) },
  });
  expect(await desk.world.typesOf(job.id)).toEqual(before);
});
