import { expect, it } from 'vitest';
import { type DrainDeps, drainOne } from '../../../src/app/runs/drain-one.js';
import { KitError } from '../../../src/domain/errors.js';
import { ENGINE } from '../../../src/domain/journal.js';
import { overriding } from '../../engine/laws.js';
import { claimOf, newJob, startedEvent } from '../../support/store-samples.js';
import { createManualClock, openSqliteWorld } from '../../support/store-world.js';

it('a run that could not be opened says `running` no longer: its claim is given back at once', async () => {
  const world = await openSqliteWorld();
  try {
    const { stores, ids } = world;
    const id = ids.jobId();
    await stores.jobs.insert(newJob(id), 'pending', [startedEvent(ids.uuid())]);
    const [job] = await stores.jobs.claim(claimOf({ limit: 1 }));
    if (job === undefined) throw new Error('the run was not claimed');
    expect(await stores.jobs.get(id)).toMatchObject({ status: 'running', engine: ENGINE });
    const full = async (): Promise<never> => {
      throw new KitError('KIT_STORE_UNAVAILABLE', 'too many connections', { cause: new Error('53300') });
    };
    const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    // Nothing else of a run is asked for before its journal is read.
    const deps = {
      stores: overriding(stores, {
        blobs: overriding(stores.blobs, { get: full }),
        runs: overriding(stores.runs, { load: full }),
      }),
      ids,
      clock: createManualClock(),
      log: quiet,
      sweepContainers: async () => 0,
      clearUp: async () => {},
      texts: { follow: async function* () {} },
    } as unknown as DrainDeps;

    const handle = drainOne(deps, { job, askedAtMs: 0 }, { warnings: [], advice: [], author: null });

    await expect(handle.done).rejects.toMatchObject({ code: 'KIT_STORE_UNAVAILABLE' });
    expect(await stores.jobs.get(id)).toMatchObject({ status: 'pending', workerId: null });
  } finally {
    await world.dispose();
  }
});
