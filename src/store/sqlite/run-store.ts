import type { Fence } from '../../domain/job.js';
import type { RunStore } from '../../domain/ports/stores.js';
import type { BlobFiles } from '../blob-files.js';
import type { PruneWords, StoredResult } from '../prune-journal.js';
import { createRunStore } from '../run-store.js';
import type { StepRecord } from '../step-row.js';
import type { StepEventIds } from './append-events.js';
import { applyWrites } from './apply-writes.js';
import type { SqliteDeps } from './deps.js';
import { sqlitePrograms } from './programs.js';
import { removeBlobs } from './remove-blobs.js';
import { JOBS_TO_PRUNE, PRUNE_RESULT, RESULTS_TO_PRUNE } from './sql/retention.js';
import { LOAD_PRODUCED, LOAD_STEPS } from './sql/steps.js';

interface StoredVerdict extends StoredResult {
  readonly status: string | null;
  readonly reason: string | null;
}

/** Of a result in its row, status and reason alone. */
const PRUNING: PruneWords<StoredVerdict> = {
  JOBS_TO_PRUNE,
  RESULTS_TO_PRUNE,
  PRUNE_RESULT,
  outcomeIn: ({ status, reason }) =>
    status === 'ok' ? { status: 'ok', value: null } : { status: 'failed', reason: reason ?? 'unknown', message: '' },
};

/** The journal in SQLite. */
export function createSqliteRunStore(deps: SqliteDeps, files: BlobFiles): RunStore {
  const { blobs, queue, clock, ids } = deps;
  /** For as long as somebody holds the fence: a claim writes with one and the same. */
  const known = new WeakMap<Fence, StepEventIds>();
  const stepEventsOf = (fence: Fence): StepEventIds => {
    const before = known.get(fence);
    if (before !== undefined) return before;
    const begun: StepEventIds = { ids: null };
    known.set(fence, begun);
    return begun;
  };
  return createRunStore({
    programs: sqlitePrograms(deps),
    blobs,
    load: (jobId) => deps.read((sql) => sql.all<StepRecord>(LOAD_STEPS, { jobId })),
    LOAD_PRODUCED,
    pruning: PRUNING,
    enqueue: (fence, prepared, guard) => {
      const names = prepared.map((item) => item.name);
      const stepEvents = stepEventsOf(fence);
      return queue.run(names, (sql, memo) =>
        guard(() =>
          applyWrites(sql, memo, { fence, stepEvents, prepared, nowMs: clock.now(), uuid: () => ids.uuid() }),
        ),
      );
    },
    removeBlobs: (due) => removeBlobs(deps, files, due),
  });
}
