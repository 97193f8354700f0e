import { afterEach, beforeEach, expect, it } from 'vitest';
import { pruneJournal } from '../../src/app/prune-journal.js';
import type { PruneRequest } from '../../src/domain/ports/stores.js';
import {
  claimOf,
  endedEvent,
  endWrite,
  fenceOf,
  newJob,
  runEndWrite,
  startWrite,
  stepOf,
} from '../support/store-samples.js';
import { createManualClock, openSqliteWorld, type SqliteWorld } from '../support/store-world.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let world: SqliteWorld;
beforeEach(async () => {
  world = await openSqliteWorld();
});
afterEach(() => world.dispose());

/** A run that has just ended. */
async function ended(): Promise<string> {
  const { stores, ids } = world;
  const job = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [], claimOf());
  await stores.runs.commit(fenceOf(job), [
    startWrite(stepOf(job.id, 'root/t1')),
    endWrite('root/t1', { status: 'ok', value: 1 }),
  ]);
  await stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(ids.uuid())])]);
  return job.id;
}
const isPruned = async (id: string) => (await world.stores.runs.load(id))[0]?.prunedAt !== undefined;

it('prunes what ended so many days ago, however many runs that are', async () => {
  const clock = createManualClock();
  const old = await Promise.all(Array.from({ length: 25 }, ended));
  await world.elapse(1);
  const young = await ended();
  clock.advance(7 * DAY_MS);

  expect(await pruneJournal({ stores: world.stores, clock }, 7)).toBe(25);

  for (const id of old) expect(await isPruned(id)).toBe(true);
  expect(await isPruned(young)).toBe(false);
});

it('with 0 days prunes a run as soon as it has ended', async () => {
  const clock = createManualClock();
  const id = await ended();

  expect(await pruneJournal({ stores: world.stores, clock }, 0)).toBe(1);

  expect(await isPruned(id)).toBe(true);
});

it('takes any number of days', async () => {
  const clock = createManualClock();
  const id = await ended();
  clock.advance(1000 * DAY_MS);

  expect(await pruneJournal({ stores: world.stores, clock }, Number.MAX_SAFE_INTEGER)).toBe(0);

  expect(await isPruned(id)).toBe(false);
});

it('leaves the rest to the next run once it has taken its time', async () => {
  const clock = createManualClock();
  const asked: PruneRequest[] = [];
  const runs = {
    prune: async (request: PruneRequest) => {
      asked.push(request);
      clock.advance(1500);
      return { jobs: request.limit, more: true };
    },
  };

  expect(await pruneJournal({ stores: { runs }, clock }, 1)).toBe(asked.length * (asked[0]?.limit ?? 0));

  expect(asked).toHaveLength(2);
});
