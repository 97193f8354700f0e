import type { Fence } from '../../domain/job.js';
import type { RunWrite, StepRow } from '../../domain/journal.js';
import type { PruneReport, PruneRequest, RunStore } from '../../domain/ports/stores.js';
import { askTogether } from '../../lib/ask-together.js';
import type { BlobFiles } from '../blob-files.js';
import { collectBlobs } from '../collect-blobs.js';
import { type CommitQueues, createCommitQueues } from '../commit-queues.js';
import { outcomeText } from '../outcome-text.js';
import { encodeWrites, type PreparedWrite } from '../prepared-write.js';
import { type PruneWords, pruneJobs, type StoredResult } from '../prune-journal.js';
import { decodeStep, type StepRecord } from '../step-row.js';
import type { StepEventIds } from './append-events.js';
import { applyWrites } from './apply-writes.js';
import type { SqliteDeps } from './deps.js';
import { sqlitePrograms } from './programs.js';
import { removeBlobs } from './remove-blobs.js';
import { JOBS_TO_PRUNE, RESULTS_TO_PRUNE } from './sql/retention.js';
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

  /** Jobs of one list are asked about together. */
  readonly #produced: (jobId: string) => Promise<readonly StepRecord[]>;

  constructor(deps: SqliteDeps, files: BlobFiles) {
    this.#deps = deps;
    this.#files = files;
    this.#produced = askTogether(async (jobIds) => {
      const records = await deps.read((sql) => sql.all<StepRecord>(LOAD_PRODUCED, { jobIds }));
      const byJob = Map.groupBy(records, (record) => record.job_id);
      return (jobId) => byJob.get(jobId) ?? [];
    }, setImmediate);
  }

  async load(jobId: string): Promise<readonly StepRow[]> {
    return this.#decoded(await this.#deps.read((sql) => sql.all<StepRecord>(LOAD_STEPS, { jobId })));
  }

  async produced(jobId: string): Promise<readonly StepRow[]> {
    return this.#decoded(await this.#produced(jobId));
  }

  #decoded(records: readonly StepRecord[]): Promise<readonly StepRow[]> {
    return Promise.all(
      records.map(async (record) => decodeStep(record, await outcomeText(this.#deps.blobs, record, LOST_BLOB))),
    );
  }

  commit(fence: Fence, ...batches: readonly (readonly RunWrite[])[]): Promise<void> {
    const { prepared, blobs } = encodeWrites(batches.flat());
    const put =
      blobs.length === 0
        ? null
        : async () => void (await Promise.all(blobs.map((bytes) => this.#deps.blobs.put(bytes))));
    return this.#queues.enter(fence, put, (guard) => this.#enqueue(fence, prepared, guard));
  }

  async prune(request: PruneRequest): Promise<PruneReport> {
    const { blobs } = this.#deps;
    const programs = sqlitePrograms(this.#deps);
    const report = await pruneJobs({ programs, blobs, words: PRUNING }, request);
    await collectBlobs(programs, (due) => removeBlobs(this.#deps, this.#files, due));
    return report;
  }

  #enqueue(fence: Fence, prepared: readonly PreparedWrite[], guard: <T>(work: () => T) => T): Promise<void> {
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
