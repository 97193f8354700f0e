import { expect, it, onTestFinished } from 'vitest';
import { NO_FAULTS } from '../../../src/domain/faults.js';
import { openPostgresStores } from '../../../src/store/postgres/open-postgres-stores.js';
import { openPostgresWorld, placeOf } from '../../support/postgres-world.js';
import { approve, gateOf, openingOf, openWrite, parkWrite, taskOf } from '../../support/review-samples.js';
import { claimOf, createIds, fenceOf, newJob, startedEvent } from '../../support/store-samples.js';
import { SILENT } from '../../support/store-world.js';

const LIMIT = { maxQueued: 40 };

it('a bound holds over processes whose counts are of another moment, while workers make room and unbounded runs come', async () => {
  const world = await openPostgresWorld();
  const options = { place: placeOf(world.database.url), poolSize: 2, maxOverflow: 2, faults: NO_FAULTS, log: SILENT };
  const others = await Promise.all([1, 2].map((n) => openPostgresStores({ ...options, ids: createIds(n) })));
  onTestFinished(async () => {
    for (const other of others) await other.close();
    await world.dispose();
  });
  const stores = [world.stores, ...others];
  const waiting = async () => (await world.stores.serving.queueStats()).queued;
  const burst = (size: number) =>
    Promise.allSettled(
      Array.from({ length: size }, (_, n) =>
        (stores[n % 3] ?? world.stores).jobs.insert(
          newJob(world.ids.jobId()),
          'queued',
          [startedEvent(world.ids.uuid())],
          undefined,
          LIMIT,
        ),
      ),
    );
  const taken = (results: readonly PromiseSettledResult<unknown>[]) =>
    results.filter(({ status }) => status === 'fulfilled').length;

  // Each process counts early, so that later it goes by what was inserted since.
  expect(taken(await burst(9))).toBe(9);
  expect(taken(await burst(12))).toBe(12);
  expect(taken(await burst(60))).toBe(19);
  expect(await waiting()).toBe(40);

  for (let round = 0; round < 3; round += 1) {
    expect(await world.stores.jobs.claim(claimOf({ limit: 7 }))).toHaveLength(7);
    expect(taken(await burst(30))).toBe(7);
    expect(await waiting()).toBe(40);
  }

  // What no bound held back counts like any other, at the latest a second later.
  await world.stores.jobs.claim(claimOf({ limit: 30 }));
  await burst(3);
  for (let n = 0; n < 20; n += 1)
    await others[0]?.jobs.insert(newJob(world.ids.jobId()), 'pending', [startedEvent(world.ids.uuid())]);
  await world.elapse(1_000);
  expect(taken(await burst(30))).toBe(7);
  expect(await waiting()).toBe(40);
});

it('a small bound holds also against runs that decisions have just woken', async () => {
  const world = await openPostgresWorld();
  onTestFinished(() => world.dispose());
  const { stores, ids } = world;
  const submit = () =>
    stores.jobs.insert(newJob(ids.jobId()), 'queued', [startedEvent(ids.uuid())], undefined, { maxQueued: 10 });
  const decisionIds = createIds(2);
  const parked: { readonly job: string; readonly item: string }[] = [];
  for (let n = 0; n < 5; n += 1) {
    const job = await stores.jobs.insert(newJob(ids.jobId()), 'queued', [startedEvent(ids.uuid())], claimOf());
    const opening = openingOf(gateOf(job.id), ['qa']);
    await stores.runs.commit(fenceOf(job), [openWrite(opening), parkWrite([opening.gate.gateId], ids.uuid())]);
    parked.push({ job: job.id, item: taskOf(opening.gate, 'qa').id });
  }
  for (let n = 0; n < 9; n += 1) await submit();

  for (const { job, item } of parked)
    await stores.reviews.change(job, approve({ itemId: item, by: 'qa-1', ids: decisionIds }));
  await world.elapse(2);
  expect((await stores.serving.queueStats()).queued).toBe(14);
  await expect(submit()).rejects.toMatchObject({ code: 'KIT_QUEUE_FULL' });
});
