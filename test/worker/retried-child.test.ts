import { afterEach, beforeEach, expect, it } from 'vitest';
import type { NewJob } from '../../src/domain/ports/stores.js';
import { SNAPSHOT_FORMAT } from '../../src/domain/snapshot.js';
import { takenOver } from '../../src/domain/taken-over.js';
import { childIdOf } from '../../src/engine/derive.js';
import { retriedChildRows } from '../../src/worker/retried-child.js';
import { retryIdOf } from '../../src/worker/retry-id.js';
import { claimOf, endWrite, fenceOf, newJob, startWrite, stepOf } from '../support/store-samples.js';
import { openSqliteWorld, type SqliteWorld } from '../support/store-world.js';

const KEY = 'root/d0/t0/c0:ask';
const LIMITS = { maxStepsPerAgent: null, maxStepsPerRun: 500, maxCostPerRunUsd: null };
const bytesOf = (work: object): Uint8Array =>
  Buffer.from(JSON.stringify({ format: SNAPSHOT_FORMAT, limits: LIMITS, ...work }));
const WORK = bytesOf({ workspaceId: 'w' });

let world: SqliteWorld;
beforeEach(async () => {
  world = await openSqliteWorld();
});
afterEach(() => world.dispose());

/** A run that failed, and the one that it had asked for, with one finished step. */
async function failedLine(over: Partial<NewJob> = {}) {
  const { jobs, runs, blobs } = world.stores;
  const failed = await jobs.insert(newJob(world.ids.jobId()), 'pending', []);
  const asked = newJob(childIdOf(failed.id, KEY), {
    ...{ source: 'agent', callerJobId: failed.id, snapshot: await blobs.put(WORK), ...over },
  });
  const child = await jobs.insert(asked, 'pending', [], claimOf());
  await runs.commit(fenceOf(child), [
    startWrite(stepOf(child.id, 'root', { kind: 'activation' })),
    startWrite(stepOf(child.id, 'root/d0/t0', { kind: 'model' })),
  ]);
  await runs.commit(fenceOf(child), [endWrite('root/d0/t0', { status: 'ok', value: 1 })]);
  const retry = await jobs.insert(newJob(retryIdOf(failed.id), { parentJobId: failed.id }), 'pending', []);
  return { failed, retry };
}

const again = (over: Partial<NewJob> = {}): NewJob => newJob(world.ids.jobId(), over);

it('a run that a retry asks for begins with the finished steps of the one before it', async () => {
  const { retry } = await failedLine();
  const child = again();

  const rows = await retriedChildRows(world.stores, { caller: retry, key: KEY, child, snapshotBytes: WORK });

  expect(rows.map(({ key, jobId }) => [key, jobId])).toEqual([['root/d0/t0', child.id]]);
});

it('other limits are the same work', async () => {
  const { retry } = await failedLine();
  const snapshotBytes = bytesOf({ workspaceId: 'w', limits: { ...LIMITS, maxStepsPerRun: 7 } });

  expect(await retriedChildRows(world.stores, { caller: retry, key: KEY, child: again(), snapshotBytes })).toHaveLength(
    1,
  );
});

it.each([
  { what: 'another input', child: { input: 'look at that' }, work: WORK, key: KEY },
  { what: 'another topology', child: { topology: 'other' }, work: WORK, key: KEY },
  { what: 'other work', child: {}, work: bytesOf({ workspaceId: 'v' }), key: KEY },
  { what: 'another call', child: {}, work: WORK, key: 'root/d0/t1/c0:ask' },
])('it begins anew with $what', async ({ child, work, key }) => {
  const { retry } = await failedLine();

  expect(
    await retriedChildRows(world.stores, { caller: retry, key, child: again(child), snapshotBytes: work }),
  ).toEqual([]);
});

it('a run that no retry asks for begins anew', async () => {
  const { failed } = await failedLine();

  expect(
    await retriedChildRows(world.stores, { caller: failed, key: KEY, child: again(), snapshotBytes: WORK }),
  ).toEqual([]);
});

it('a run of another engine is not gone on with', async () => {
  const { retry } = await failedLine({ engine: 99 });

  expect(
    await retriedChildRows(world.stores, { caller: retry, key: KEY, child: again(), snapshotBytes: WORK }),
  ).toEqual([]);
});

it('a run below such a run goes on from the one below the run that it goes on from', async () => {
  const { jobs, runs } = world.stores;
  const { failed } = await failedLine();
  const caller = await jobs.insert(
    newJob(world.ids.jobId(), { source: 'agent', callerJobId: failed.id }),
    'pending',
    [],
    claimOf(),
  );
  const finished = stepOf(failed.id, 'root/d0/t9', { kind: 'model' });
  await runs.commit(fenceOf(caller), [startWrite(takenOver(finished, caller.id))]);
  const child = again();

  const rows = await retriedChildRows(world.stores, { caller, key: KEY, child, snapshotBytes: WORK });

  expect(rows.map(({ key }) => key)).toEqual(['root/d0/t0']);
});
