import type { StoredEvent } from '../../domain/events.js';
import type { Fence } from '../../domain/job.js';
import type { RunWrite, StepRow } from '../../domain/journal.js';
import type { PruneReport, PruneRequest, RunStore } from '../../domain/ports/stores.js';
import type { BlobFiles } from '../blob-files.js';
import { BLOB_GRACE_MS, MAX_CANDIDATES } from '../blob-grace.js';
import { type CommitQueues, createCommitQueues } from '../commit-queues.js';
import { outcomeText } from '../outcome-text.js';
import { encodeWrites, type PreparedWrite } from '../prepared-write.js';
import { type PruneWords, pruneJobs, type StoredResult } from '../prune-journal.js';
import { decodeStep, type StepRecord } from '../step-row.js';
import type { StepEventIds } from './append-events.js';
import { applyWrites } from './apply-writes.js';
import type { SqliteDeps } from './deps.js';
import { isoAt } from './deps.js';
import { sqlitePrograms } from './programs.js';
import { DROP_CANDIDATE, DUE_CANDIDATES, IS_NAMED, JOBS_TO_PRUNE, RESULTS_TO_PRUNE } from './sql/retention.js';
import { LOAD_PRODUCED, LOAD_STEPS } from './sql/steps.js';

interface StoredVerdict extends StoredResult {
  readonly status: string | null;
  readonly reason: string | null;
}

/** Of a result in its row, status and reason alone. */
const PRUNING: PruneWords<StoredVerdict> = {
  JOBS_TO_PRUNE,
  RESULTS_TO_PRUNE,
  outcomeIn: ({ status, reason }) =>
    status === 'ok' ? { status: 'ok', value: null } : { status: 'failed', reason: reason ?? 'unknown', message: '' },
};

const LOST_BLOB = 'Restore the blobs directory of the state directory.';

/** The journal in SQLite. Steps, their events and the job's status share one commit. */
export class SqliteRunStore implements RunStore {
  readonly #deps: SqliteDeps;
  readonly #files: BlobFiles;
  readonly #queues: CommitQueues = createCommitQueues();
  /** For as long as somebody holds the fence: a claim writes with one and the same. */
  readonly #stepEvents = new WeakMap<Fence, StepEventIds>();

  constructor(deps: SqliteDeps, files: BlobFiles) {
    this.#deps = deps;
    this.#files = files;
  }

  async load(jobId: string): Promise<readonly StepRow[]> {
    return this.#decoded(await this.#deps.read((sql) => sql.all<StepRecord>(LOAD_STEPS, { jobId })));
  }

  async produced(jobId: string): Promise<readonly StepRow[]> {
    return this.#decoded(await this.#deps.read((sql) => sql.all<StepRecord>(LOAD_PRODUCED, { jobId })));
  }

  #decoded(records: readonly StepRecord[]): Promise<readonly StepRow[]> {
    return Promise.all(
      records.map(async (record) => decodeStep(record, await outcomeText(this.#deps.blobs, record, LOST_BLOB))),
    );
  }

  commit(fence: Fence, ...batches: readonly (readonly RunWrite[])[]): Promise<readonly StoredEvent[]> {
    const { prepared, blobs } = encodeWrites(batches.flat());
    const put =
      blobs.length === 0
        ? null
        : async () => void (await Promise.all(blobs.map((bytes) => this.#deps.blobs.put(bytes))));
    return this.#queues.enter(fence, put, (guard) => this.#enqueue(fence, prepared, guard));
  }

  async prune(request: PruneRequest): Promise<PruneReport> {
    const { blobs } = this.#deps;
    const report = await pruneJobs({ programs: sqlitePrograms(this.#deps), blobs, words: PRUNING }, request);
    await collectBlobs(this.#deps, this.#files);
    return report;
  }

  #enqueue(
    fence: Fence,
    prepared: readonly PreparedWrite[],
    guard: <T>(work: () => T) => T,
  ): Promise<readonly StoredEvent[]> {
    const names = prepared.map((item) => item.name);
    const { queue, clock, ids } = this.#deps;
    const stepEvents = this.#stepEventsOf(fence);
    return queue.run(names, (sql, memo) =>
      guard(() => applyWrites(sql, memo, { fence, stepEvents, prepared, nowMs: clock.now(), uuid: () => ids.uuid() })),
    );
  }

  #stepEventsOf(fence: Fence): StepEventIds {
    const known = this.#stepEvents.get(fence) ?? { ids: null };
    this.#stepEvents.set(fence, known);
    return known;
  }
}

/**
 * Removes blobs that no row names any more, a write for each. Looked up and removed under the write
 * lock: no commit can name the blob in between. A crash after the removal leaves the candidate, and
 * the next call finds nothing to remove.
 */
async function collectBlobs(deps: SqliteDeps, files: BlobFiles): Promise<void> {
  const beforeMs = deps.clock.now() - BLOB_GRACE_MS;
  const due = await deps.read((sql) =>
    sql.all<{ sha256: string }>(DUE_CANDIDATES, { before: isoAt(beforeMs), limit: MAX_CANDIDATES }),
  );
  for (const { sha256 } of due) {
    await deps.queue.run([], (sql) => {
      const isNamed = sql.get<{ named: number }>(IS_NAMED, { sha256 })?.named !== 0;
      if (isNamed || files.removeUnused(sha256, beforeMs)) sql.run(DROP_CANDIDATE, { sha256 });
    });
  }
}
