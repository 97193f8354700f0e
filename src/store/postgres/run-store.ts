import type { Fence } from '../../domain/job.js';
import type { StepOutcome } from '../../domain/journal.js';
import type { RunStore } from '../../domain/ports/stores.js';
import { askTogether } from '../../lib/ask-together.js';
import type { Soon } from '../../lib/soon.js';
import { type Guard, queueOf } from '../commit-queues.js';
import type { PreparedWrite } from '../prepared-write.js';
import { LOST, type PruneWords, type StoredResult } from '../prune-journal.js';
import { createRunStore, loadSteps } from '../run-store.js';
import { applyWrites, isHeld } from './apply-writes.js';
import type { PostgresDeps } from './deps.js';
import { postgresPrograms } from './programs.js';
import { removeBlobs } from './remove-blobs.js';
import { JOBS_TO_PRUNE, PRUNE_RESULT, RESULTS_TO_PRUNE } from './sql/retention.js';
import { LOAD_PRODUCED, LOAD_STEPS } from './sql/steps.js';
import type { Transaction } from './transaction.js';

interface StoredOutcome extends StoredResult {
  readonly outcome: string | null;
}

const PRUNING: PruneWords<StoredOutcome> = {
  JOBS_TO_PRUNE,
  RESULTS_TO_PRUNE,
  PRUNE_RESULT,
  // Written by `step.ended` from a value of this type.
  outcomeIn: ({ outcome }) => (outcome === null ? LOST : (JSON.parse(outcome) as StepOutcome)),
};

/** The journal in PostgreSQL. */
export function createPostgresRunStore(deps: PostgresDeps): RunStore {
  const programs = postgresPrograms(deps);
  return createRunStore({
    programs,
    blobs: deps.blobs,
    // Runs that were claimed together are loaded together, and nearly all of them are new.
    load: askTogether((jobIds) => loadSteps(programs, LOAD_STEPS, jobIds), setImmediate),
    LOAD_PRODUCED,
    pruning: PRUNING,
    enqueue: (fence, prepared, guard) => enqueue(deps, { fence, prepared, guard }),
    removeBlobs: (due) => removeBlobs(deps, due),
  });
}

function enqueue(
  { queue, ids }: PostgresDeps,
  of: { readonly fence: Fence; readonly prepared: readonly PreparedWrite[]; readonly guard: Guard },
): Promise<void> {
  const { fence, prepared, guard } = of;
  const work = (tx: Transaction): Soon<void> => {
    guard(() => undefined);
    return applyWrites(tx, { fence, prepared, uuid: () => ids.uuid() });
  };
  const writes = prepared.map((item) => item.name);
  const presumes = prepared.every(isHeld);
  const leavesMark = prepared.some(({ write }) => write.events.length > 0);
  return queue.run({ writes, jobs: [fence.jobId], presumes, leavesMark, queue: queueOf(fence), work });
}
