import { afterEach, expect, it } from 'vitest';
import { jobsSoFar } from '../../src/app/jobs/so-far.js';
import { BACKENDS, type GuardedStore, openGuardedStore } from '../support/guards/guarded-store.js';
import { gateOf, openingOf, openWrite, parkWrite } from '../support/review-samples.js';
import { claimOf, endWrite, fenceOf, newJob, startWrite, stepOf } from '../support/store-samples.js';

const opened: GuardedStore[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

it.each(BACKENDS)('on %s, a list of runs that wait takes as many statements as one of them', async (backend) => {
  const store = await openGuardedStore(backend);
  opened.push(store);
  const { jobs, runs } = store.stores;
  for (let n = 0; n < 12; n += 1) {
    const job = await jobs.insert(newJob(`abcdef0000${n + 10}`), 'pending', [], claimOf());
    const gate = gateOf(job.id);
    await runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'root/d0/x'))]);
    await runs.commit(fenceOf(job), [endWrite('root/d0/x', { status: 'ok', value: 1 })]);
    await runs.commit(fenceOf(job), [openWrite(openingOf(gate))]);
    await runs.commit(fenceOf(job), [parkWrite([gate.gateId], `parked-${n}`)]);
  }
  const readsOf = async (limit: number): Promise<number> => {
    store.counter.take();
    const shown = await jobsSoFar(store.stores, await jobs.list({ limit }));
    expect(shown).toHaveLength(limit);
    expect(new Set(shown.map(({ status, usage }) => `${status} ${usage?.inputTokens}`))).toEqual(
      new Set(['deferred 10']),
    );
    return store.counter.take().reads;
  };

  // Connections are made when they are needed first.
  await readsOf(12);
  expect(await readsOf(12)).toBe(await readsOf(1));
});
