import { goneBytes } from '../domain/errors.js';
import type { Fence } from '../domain/job.js';
import type { StepRow } from '../domain/journal.js';
import type { BlobStore, RunStore } from '../domain/ports/stores.js';
import { askTogether } from '../lib/ask-together.js';
import { isoAt } from '../lib/iso-at.js';
import { BLOB_GRACE_MS } from './blob-grace.js';
import { createCommitQueues, type Guard } from './commit-queues.js';
import { encodeWrites, type PreparedWrite } from './prepared-write.js';
import { all, type Programs } from './program.js';
import { type PruneWords, pruneJobs, type StoredResult } from './prune-journal.js';
import { DUE_CANDIDATES } from './sql/retention.js';
import { decodeStep, type StepRecord } from './step-row.js';

/** What the dialects do differently. */
export interface RunStoreParts<Row extends StoredResult> {
  readonly programs: Programs;
  readonly blobs: BlobStore;
  /** The rows of one run, in order. */
  readonly load: (jobId: string) => Promise<readonly StepRecord[]>;
  /** Rows of `@jobIds` that made something. */
  readonly LOAD_PRODUCED: string;
  readonly pruning: PruneWords<Row>;
  readonly enqueue: (fence: Fence, prepared: readonly PreparedWrite[], guard: Guard) => Promise<void>;
  /** Those that no row names and nobody has put since `before`. */
  readonly removeBlobs: (of: { readonly digests: readonly string[]; readonly before: string }) => Promise<unknown>;
}

/** The journal. Steps, their events and the job's status share one commit. */
export function createRunStore<Row extends StoredResult>(parts: RunStoreParts<Row>): RunStore {
  const { programs, blobs, enqueue } = parts;
  const queues = createCommitQueues();
  /** Jobs of one list are asked about together. */
  const produced = askTogether(
    (jobIds: readonly string[]) => loadSteps(programs, parts.LOAD_PRODUCED, jobIds),
    setImmediate,
  );
  const decoded = (records: readonly StepRecord[]): Promise<readonly StepRow[]> =>
    Promise.all(records.map(async (record) => decodeStep(record, await outcomeText(blobs, record))));
  return {
    load: async (jobId) => decoded(await parts.load(jobId)),
    produced: async (jobId) => decoded(await produced(jobId)),
    commit: (fence, ...batches) => {
      const { prepared, blobs: large } = encodeWrites(batches.flat());
      const put =
        large.length === 0 ? null : async () => void (await Promise.all(large.map((bytes) => blobs.put(bytes))));
      return queues.enter(fence, put, (guard) => enqueue(fence, prepared, guard));
    },
    prune: async (request) => {
      const report = await pruneJobs({ programs, blobs, words: parts.pruning }, request);
      await collectBlobs(programs, parts.removeBlobs);
      return report;
    },
  };
}

/** Steps of runs that are asked about together. */
export async function loadSteps(
  { read }: Pick<Programs, 'read'>,
  statement: string,
  jobIds: readonly string[],
): Promise<(jobId: string) => readonly StepRecord[]> {
  const records = await read(() => all<StepRecord>(statement, { jobIds }));
  const byJob = Map.groupBy(records, (record) => record.job_id);
  return (jobId) => byJob.get(jobId) ?? [];
}

/**
 * The stored text of a step's result: in its row, or in the blob that the row names. Throws
 * KIT_STORE_CORRUPT when that is gone.
 */
async function outcomeText(blobs: Pick<BlobStore, 'get'>, record: StepRecord): Promise<string | null> {
  const { job_id: jobId, key, outcome, outcome_sha256: sha256 } = record;
  if (sha256 === null) return outcome;
  const bytes = await blobs.get(sha256);
  if (bytes === null) throw goneBytes(sha256, `the result of step ${key} of run ${jobId}`);
  return new TextDecoder().decode(bytes);
}

/** Candidates looked at in one call; the next call goes on. */
const MAX_CANDIDATES = 200;

/**
 * Removes blobs that no row names any more. Whoever put the same bytes within the grace keeps them.
 */
async function collectBlobs(
  { now, read }: Pick<Programs, 'now' | 'read'>,
  removeBlobs: RunStoreParts<StoredResult>['removeBlobs'],
): Promise<void> {
  const before = isoAt(Date.parse(await now()) - BLOB_GRACE_MS);
  const due = await read(() => all<{ sha256: string }>(DUE_CANDIDATES, { before, limit: MAX_CANDIDATES }));
  if (due.length > 0) await removeBlobs({ digests: due.map(({ sha256 }) => sha256), before });
}
