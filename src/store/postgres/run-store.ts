import type { Fence } from '../../domain/job.js';
import type { RunWrite, StepOutcome, StepRow } from '../../domain/journal.js';
import type { PruneReport, PruneRequest, RunStore } from '../../domain/ports/stores.js';
import { askTogether } from '../../lib/ask-together.js';
import type { Soon } from '../../lib/soon.js';
import { collectBlobs } from '../collect-blobs.js';
import { type CommitQueues, createCommitQueues, type Guard, queueOf } from '../commit-queues.js';
import { outcomeText } from '../outcome-text.js';
import { encodeWrites, type PreparedWrite } from '../prepared-write.js';
import { LOST, type PruneWords, pruneJobs, type StoredResult } from '../prune-journal.js';
import { decodeStep, type StepRecord } from '../step-row.js';
import { applyWrites } from './apply-writes.js';
import type { PostgresDeps } from './deps.js';
import { postgresPrograms } from './programs.js';
import { removeBlobs } from './remove-blobs.js';
import { JOBS_TO_PRUNE, RESULTS_TO_PRUNE } from './sql/retention.js';
import { LOAD_PRODUCED, LOAD_STEPS } from './sql/steps.js';
import type { Transaction } from './transaction.js';

interface StoredOutcome extends StoredResult {
  readonly outcome: string | null;
}

const PRUNING: PruneWords<StoredOutcome> = {
  JOBS_TO_PRUNE,
  RESULTS_TO_PRUNE,
  // Written by `step.ended` from a value of this type.
  outcomeIn: ({ outcome }) => (outcome === null ? LOST : (JSON.parse(outcome) as StepOutcome)),
};

const LOST_BLOB = 'Restore the table of blobs from the backup of this database.';

/** The journal in PostgreSQL. Steps, their events and the job's status share one commit. */
export class PostgresRunStore implements RunStore {
  readonly #deps: PostgresDeps;
  readonly #queues: CommitQueues = createCommitQueues();
  /** Runs that were claimed together are loaded together, and nearly all of them are new. */
  readonly #records: (jobId: string) => Promise<readonly StepRecord[]>;
  /** Jobs of one list are asked about together. */
  readonly #produced: (jobId: string) => Promise<readonly StepRecord[]>;

  constructor(deps: PostgresDeps) {
    this.#deps = deps;
    this.#records = askTogether((jobIds) => loadSteps(deps, { jobIds, statement: LOAD_STEPS }), setImmediate);
    this.#produced = askTogether((jobIds) => loadSteps(deps, { jobIds, statement: LOAD_PRODUCED }), setImmediate);
  }

  async load(jobId: string): Promise<readonly StepRow[]> {
    return this.#decoded(await this.#records(jobId));
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
    const programs = postgresPrograms(this.#deps);
    const report = await pruneJobs({ programs, blobs, words: PRUNING }, request);
    await collectBlobs(programs, (due) => removeBlobs(this.#deps, due));
    return report;
  }

  #enqueue(fence: Fence, prepared: readonly PreparedWrite[], guard: Guard): Promise<void> {
    const { queue, ids } = this.#deps;
    const work = (tx: Transaction): Soon<void> => {
      guard(() => undefined);
      return applyWrites(tx, { fence, prepared, uuid: () => ids.uuid() });
    };
    return queue.run({ writes: prepared.map((item) => item.name), jobs: [fence.jobId], queue: queueOf(fence), work });
  }
}

async function loadSteps(
  deps: PostgresDeps,
  { jobIds, statement }: { readonly jobIds: readonly string[]; readonly statement: string },
): Promise<(jobId: string) => readonly StepRecord[]> {
  const records = await deps.read((sql) => sql.all<StepRecord>(statement, { jobIds }));
  const byJob = Map.groupBy(records, (record) => record.job_id);
  return (jobId) => byJob.get(jobId) ?? [];
}
