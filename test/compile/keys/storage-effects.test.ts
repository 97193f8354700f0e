import { join } from 'node:path';
import { test } from 'vitest';
import { createStorageApp } from '../../../src/app/storage/create-storage-app.js';
import { withPruning } from '../../../src/app/storage/prune-hooks.js';
import { readStorage } from '../../../src/app/storage/read-storage.js';
import { storageOf } from '../../../src/boot/runs-place.js';
import { nodeFiles } from '../../../src/system/files.js';
import { FakeClock } from '../../support/fake-clock.js';
import { QUIET_HOOKS, SERVER } from '../../support/serving/quiet-hooks.js';
import { showsEffect } from '../../support/shows-effect.js';
import { claimOf, endedEvent, fenceOf, newJob, runEndWrite, startedEvent } from '../../support/store-samples.js';
import { openSqliteWorld } from '../../support/store-world.js';
import { CHECKPOINT_PROOFS, PRUNE_PROOFS, STORAGE_PROOFS } from './proofs/storage-proofs.js';
import { VERDICTS } from './proofs/verdict-scene.js';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** What would go of a run that ended sixty days ago. */
async function dueOf(directory: string): Promise<unknown> {
  const world = await openSqliteWorld({ stateDir: join(directory, '.kit') });
  const { stores, ids } = world;
  const insert = () => stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())], claimOf());
  await stores.runs.commit(fenceOf(await insert()), [
    runEndWrite([endedEvent(ids.uuid())], { endedAt: '2026-01-02T03:04:05.000Z' }),
  ]);
  await insert();
  await world.elapse(60 * DAY_MS);
  const app = createStorageApp({
    environment: {},
    readStorage: (workspace) => readStorage(workspace, { files: nodeFiles, environment: {} }),
    openMove: () => Promise.reject(new Error('nothing moves here')),
    openStores: async () => stores,
  });
  try {
    const plan = await app.planPrune({ workspace: directory, olderThanDays: null, method: 'estimate' });
    return { runs: plan?.runs, events: plan?.rows.events };
  } finally {
    await world.dispose();
  }
}

test.each(STORAGE_PROOFS.map(({ key }) => key))('%s changes which runs are old enough to be removed', async (key) => {
  const { a, b, given } = STORAGE_PROOFS.find((proof) => proof.key === key) ?? { a: null, b: null };

  await showsEffect(key, a, b, { base: VERDICTS, observe: dueOf, ...(given === undefined ? {} : { given }) });
});

/** At which hours of its first two days a server removes what is old. */
async function removalsOf(directory: string): Promise<unknown> {
  const clock = new FakeClock();
  const startedMs = clock.now();
  const hours: number[] = [];
  const { pruneEveryHours } = await readStorage(directory, { files: nodeFiles, environment: {} });
  const storage = {
    pruneEveryHours: async () => pruneEveryHours,
    prune: async () => {
      hours.push(Math.floor((clock.now() - startedMs) / HOUR_MS));
      return null;
    },
  };
  const log = { info: () => undefined, warn: () => undefined };
  const hooks = withPruning(QUIET_HOOKS, { clock, log, random: () => 0, storage });
  await hooks.onStart(SERVER);
  await clock.advance(48 * HOUR_MS);
  await hooks.onDrain(SERVER);
  await hooks.onStop(SERVER);
  return hours;
}

test.each(PRUNE_PROOFS.map(({ key }) => key))('%s changes how often a server removes what is old', async (key) => {
  const { a, b } = PRUNE_PROOFS.find((proof) => proof.key === key) ?? { a: null, b: null };

  await showsEffect(key, a, b, { base: VERDICTS, observe: removalsOf });
});

/** What a start says of the place of the journal. */
async function saidAtStart(directory: string): Promise<unknown> {
  const { settings, resolve } = await readStorage(directory, { files: nodeFiles, environment: {} });
  const said: string[] = [];
  await storageOf(settings, { env: {}, resolve, warn: (text) => said.push(text) });
  return said;
}

test.each(CHECKPOINT_PROOFS.map(({ key }) => key))('%s changes what a start says of the journal', async (key) => {
  const { a, b, given } = CHECKPOINT_PROOFS.find((proof) => proof.key === key) ?? { a: null, b: null };

  await showsEffect(key, a, b, { base: VERDICTS, observe: saidAtStart, ...(given === undefined ? {} : { given }) });
});
