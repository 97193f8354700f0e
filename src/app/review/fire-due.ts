import { NO_ROLES } from '../../domain/gates.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Ids } from '../../domain/ports/system.js';
import { expireDue } from '../../govern/approval/expire-due.js';

/** What firing deadlines needs of the world. */
export interface FireDeps {
  readonly stores: Pick<Stores, 'reviews'>;
  readonly ids: Pick<Ids, 'uuid'>;
}

/**
 * Deadlines that one command fires at most, so that a list never waits long for them; the next
 * command goes on.
 */
const MAX_FIRED = 100;

/**
 * Fires the deadlines that are due by the store's clock: of one job, or of all
 * (docs/design/journal.md#deadlines). Each command that looks at gates or decides does so first, so
 * that it never shows as open what the clock has closed. Correctness does not rest on it: a
 * decision after the instant is refused in its own transaction.
 */
export async function fireDue({ stores, ids }: FireDeps, jobId?: string): Promise<void> {
  const due = await stores.reviews.dueTimers(MAX_FIRED, jobId);
  // Nobody is asked when a deadline passes.
  for (const job of new Set(due.map((timer) => timer.jobId)))
    await stores.reviews.change(job, (state) => expireDue(state, { newId: () => ids.uuid(), roles: NO_ROLES }));
}
