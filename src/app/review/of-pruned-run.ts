import { isKitError, KitError } from '../../domain/errors.js';
import type { Stores } from '../../domain/ports/stores.js';
import { prunedJob } from '../find-job.js';

/** Of a gate (`RUN:AGENT`), and within the id of an item. */
const RUN_ID = /[0-9a-f]{12}/;

/**
 * What `work` answers. A gate or an item that is unknown because its run was pruned is told as
 * such, under the same code: whoever follows an old link learns what became of it.
 */
export async function orPruned<T>(
  name: string,
  openStores: () => Promise<Pick<Stores, 'retention'> | null>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isKitError(error) || !(error.code === 'KIT_GATE_UNKNOWN' || error.code === 'KIT_ITEM_UNKNOWN')) throw error;
    const run = RUN_ID.exec(name)?.[0];
    const pruned = run === undefined ? null : ((await (await openStores())?.retention.pruned(run)) ?? null);
    if (pruned === null) throw error;
    const { message, hint } = prunedJob(pruned);
    throw new KitError(error.code, `${error.message} any more: ${message}`, {
      ...(hint === undefined ? {} : { hint }),
      ...(error.data === undefined ? {} : { data: error.data }),
    });
  }
}
