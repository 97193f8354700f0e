import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import {
  claimOf,
  endedEvent,
  endWrite,
  fenceOf,
  newJob,
  runEndWrite,
  startedEvent,
  startWrite,
  stepOf,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';
import { MANUAL_START_MS } from '../../support/store-world.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const LARGE = 'x'.repeat(100_000);
const AGE = { olderThanDays: 30 };
const quietly = (): void => undefined;

/** What a store tells of its age, its size and what is due without reading all of it. */
export function auditGrowthLaws(world: World): void {
  const now = (): string => new Date(MANUAL_START_MS).toISOString();
  const insert = (over = {}): Promise<Job> =>
    world().stores.jobs.insert(
      newJob(world().ids.jobId(), over),
      'pending',
      [startedEvent(world().ids.uuid())],
      claimOf(),
    );
  /** A run with a large result. */
  async function ended(over = {}): Promise<Job> {
    const job = await insert(over);
    const { runs } = world().stores;
    await runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'root'))]);
    await runs.commit(fenceOf(job), [endWrite('root', { status: 'ok', value: `${LARGE}${job.id}` })]);
    await runs.commit(fenceOf(job), [runEndWrite([endedEvent(world().ids.uuid())], { endedAt: now() })]);
    return job;
  }
  /** What was written last stays: its numbers would be given again. */
  const newest = (): Promise<Job> => insert();

  it('says the same by an estimate where it can look at every run that goes, but for the bytes of the database', async () => {
    const { stores } = world();
    const shared = await stores.blobs.put(Buffer.from('a snapshot of many'));
    for (let n = 0; n < 3; n++) await ended({ snapshot: shared });
    await insert({ snapshot: shared });
    await newest();
    await world().elapse(31 * DAY_MS);

    const { method, bytes, databaseBytes, ...estimate } = await stores.retention.plan(AGE, 'estimate');
    const exact = await stores.retention.plan(AGE, 'exact');

    expect([method, exact.method]).toEqual(['estimate', 'exact']);
    expect(exact).toMatchObject(estimate);
    expect(bytes.blobs).toBe(exact.bytes.blobs);
    expect(databaseBytes.now).toBe(exact.databaseBytes.now);
    expect(databaseBytes.after).toBeLessThanOrEqual(databaseBytes.now);
  });

  it('tells how large and how old a store is, and how many runs are due', async () => {
    const { stores } = world();
    expect(await stores.retention.growth(AGE)).toMatchObject({ oldestRun: null, due: { runs: 0, bytes: 0 } });
    await ended();
    await ended();
    await world().elapse(31 * DAY_MS);
    await newest();
    await newest();

    const { bytes, oldestRun, due } = await stores.retention.growth(AGE);

    expect(oldestRun).toBe(now());
    expect(bytes).toBeGreaterThan(10_000);
    expect(due).toEqual({ runs: 2, isMore: false, bytes: expect.any(Number) });
    expect(due.bytes).toBe((await stores.retention.plan(AGE, 'estimate')).bytes.database);
    expect((await stores.retention.growth({ olderThanDays: 32 })).due).toEqual({ runs: 0, isMore: false, bytes: 0 });
  });

  it('tells of more than 500 runs how many ended so long ago, whether or not one of them must stay', async () => {
    const { stores } = world();
    const ends = async (): Promise<unknown> =>
      stores.runs.commit(fenceOf(await insert()), [runEndWrite([endedEvent(world().ids.uuid())], { endedAt: now() })]);
    for (let n = 0; n < 5; n++) await Promise.all(Array.from({ length: 101 }, ends));
    await world().elapse(31 * DAY_MS);

    const { due } = await stores.retention.growth(AGE);

    expect(due).toMatchObject({ runs: 505, isMore: false });
    expect(due.bytes).toBeGreaterThan(0);
    expect((await stores.retention.plan(AGE, 'estimate')).runs).toBe(504);
  });

  it('ends a removal that nobody waits for any more, and the next one removes the rest', async () => {
    const { stores } = world();
    const old = [await ended(), await ended()];
    await newest();
    await world().elapse(31 * DAY_MS);
    const over = new Error('over');

    await expect(stores.retention.prune(AGE, quietly, AbortSignal.abort(over))).rejects.toBe(over);
    for (const { id } of old) expect(await stores.jobs.get(id)).not.toBeNull();

    expect(await stores.retention.prune(AGE, quietly, new AbortController().signal)).toMatchObject({ runs: 2 });
  });
}
