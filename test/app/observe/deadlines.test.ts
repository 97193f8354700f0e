import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createObserveApp } from '../../../src/app/observe/create-observe-app.js';
import { openReviewWorld, POLICY, type ReviewWorld } from '../../support/review-world.js';
import { HERE } from '../../support/store-samples.js';

let world: ReviewWorld;
beforeEach(async () => {
  world = await openReviewWorld();
});
afterEach(() => world.dispose());

it.each(['status', 'trace', 'report', 'logs'] as const)(
  '%s shows what the clock has closed, though nobody looked at the gate',
  async (command) => {
    const { job, gate } = await world.parked({
      policy: { ...POLICY, expiry: { afterMs: 60_000, remindBeforeMs: null, action: 'reject', escalateTo: [] } },
    });
    const app = createObserveApp({
      clock: { now: () => 0, sleep: async () => {} },
      ids: { uuid: randomUUID },
      host: HERE,
      openStores: async () => world.sqlite.stores,
      maskOf: async () => (text: string) => text,
    });
    world.elapse(60_000);

    const signal = new AbortController().signal;
    if (command === 'status') await app.status({ workspace: '', limit: 1 });
    else if (command === 'logs')
      await app.logs({
        workspace: '',
        run: null,
        last: 1,
        topology: null,
        agent: null,
        types: [],
        follow: false,
        signal,
      });
    else await app[command]({ workspace: '', run: job.id });

    expect(await world.typesOf(job.id)).toContain('approval.expired');
    expect(await world.sqlite.stores.reviews.gate(gate.gateId)).toMatchObject({ status: 'rejected' });
    expect(await world.sqlite.stores.jobs.get(job.id)).toMatchObject({ status: 'pending' });
  },
);
