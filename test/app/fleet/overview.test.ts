import { expect, it } from 'vitest';
import { createFleetApp } from '../../../src/app/fleet/create-fleet-app.js';
import type { QueueStats } from '../../../src/domain/ports/serving.js';
import { memberOf } from '../../support/fleet-samples.js';
import { newJob, startedEvent } from '../../support/store-samples.js';
import { openSqliteWorld } from '../../support/store-world.js';

/** Two hours: a machine that was never set. */
const OFF_MS = 7_200_000;

it('counts ages by the clock of the store, whatever this machine says', async () => {
  const world = await openSqliteWorld();
  try {
    const { stores, ids } = world;
    await stores.serving.fleet.beat(memberOf(), 3_600_000);
    await stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())]);
    const storeNow = async () => {
      const [seen] = await stores.serving.fleet.list(60_000);
      return Date.parse(seen?.beatAt ?? '') + (seen?.silentMs ?? 0);
    };
    const here = (await storeNow()) - OFF_MS;
    const app = createFleetApp({
      clock: { now: () => here },
      openFleet: async () => stores.serving.fleet,
      openStores: async () => stores,
      // Its figures are of no interest here.
      queueStats: async () => ({ running: 0 }) as QueueStats,
    });

    const { at, storeAheadMs } = await app.overview({ workspace: '', limit: 5 });
    expect(Math.abs(storeAheadMs - OFF_MS)).toBeLessThan(60_000);
    expect(Math.abs(Date.parse(at) - (here + OFF_MS))).toBeLessThan(60_000);
  } finally {
    await world.dispose();
  }
});
