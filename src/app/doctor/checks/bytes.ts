import { isOfBytes } from '../../../domain/errors.js';
import { isTerminal, type Job } from '../../../domain/job.js';
import type { Stores } from '../../../domain/ports/stores.js';
import type { DoctorCheck } from '../../../view/doctor-report.js';
import { checkRuns, type LookAtRuns } from './newest-runs.js';

type Kept = Pick<Stores, 'jobs' | 'blobs' | 'artifacts' | 'retention'>;

/** Artifacts of one run that are read without `--full`. */
const FEW = 20;
const ALL = 10_000;
/** Larger ones are read with `--full` alone: nobody waits for gigabytes. */
const SMALL_BYTES = 1024 * 1024;

const FIX =
  'Put them back from the backup, beside the store (blobs) or where storage.artifacts says: kit docs back-up-and-restore';

/**
 * Whether what runs go on with and what people are asked about is there: it lies beside the rows,
 * and a restored store may have come without it.
 */
export const checkBytes = (stores: Kept, how: LookAtRuns): Promise<DoctorCheck> =>
  checkRuns(stores, { id: 'bytes', what: 'the bytes', wrongWith: (job) => lost(stores, job, how.full), fix: FIX }, how);

async function lost({ blobs, artifacts }: Kept, job: Job, full: boolean): Promise<string | null> {
  if (!isTerminal(job.status)) {
    const snapshot = await wrongBytes(() => blobs.get(job.snapshot));
    if (snapshot !== null) return `what it goes on with ${snapshot}`;
  }
  for (const { ref, sha256, sizeBytes } of await artifacts.list({ runId: job.id, limit: full ? ALL : FEW })) {
    if (!full && sizeBytes > SMALL_BYTES) continue;
    const wrong = await wrongBytes(() => artifacts.read(sha256));
    if (wrong !== null) return `the artifact ${ref} ${wrong}`;
  }
  return null;
}

/** In a clause; null = they are there. Throws where nobody can be asked. */
async function wrongBytes(read: () => Promise<Uint8Array | null>): Promise<string | null> {
  try {
    return (await read()) === null ? 'is gone from the store' : null;
  } catch (error) {
    if (!isOfBytes(error)) throw error;
    return 'has another digest';
  }
}
