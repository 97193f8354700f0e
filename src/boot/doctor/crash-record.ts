import type { RunRecord } from '../../app/doctor/crash/compare-runs.js';
import type { StoragePlace } from '../../app/storage/resolve-storage.js';
import { NO_FAULTS } from '../../domain/faults.js';
import type { Stores } from '../../domain/ports/stores.js';
import { createClock } from '../../system/clock.js';
import { createIds } from '../../system/ids.js';
import { processStartOf, readWorkerHost } from '../../system/worker-host.js';
import { createStoreOpener } from '../open-stores.js';
import { CRASH_JOB } from './crash-plan.js';

const LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const PAGE = 1000;

/**
 * What is durable of the built-in run in one scratch store; null where there is none. Throws what
 * the store throws.
 */
export async function readCrashRecord(of: {
  readonly storage: StoragePlace;
  readonly schema: string;
  readonly stateDir: string;
}): Promise<RunRecord | null> {
  const opener = createStoreOpener({
    env: { KIT_STORE_POOL_SIZE: '1', KIT_STORE_MAX_OVERFLOW: '2' },
    clock: createClock(),
    ids: createIds(readWorkerHost()),
    log: LOG,
    processStartOf,
    scratch: { schema: of.schema, faults: NO_FAULTS },
  });
  try {
    const stores = await opener.openExisting({
      ...of,
      audit: null,
      memory: null,
      artifacts: { kind: 'database' },
      openArtifactBytes: () => Promise.reject(new Error('kept in the database')),
    });
    return stores === null ? null : await recordOf(stores);
  } finally {
    await opener.close();
  }
}

async function recordOf({ jobs, runs, events, reviews }: Stores): Promise<RunRecord | null> {
  const job = await jobs.get(CRASH_JOB);
  if (job === null) return null;
  const [steps, log, state] = [
    await runs.load(CRASH_JOB),
    await events.readRun(CRASH_JOB, 0, PAGE),
    await reviews.state(CRASH_JOB),
  ];
  const decisions = (state?.decisions ?? []).map(({ itemId, identity, outcome, sha256 }) =>
    [itemId, identity, outcome, sha256].join(' '),
  );
  return { status: job.status, reason: job.reason, output: job.output, steps, events: log, decisions };
}
