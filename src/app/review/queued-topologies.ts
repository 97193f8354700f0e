import { KitError } from '../../domain/errors.js';
import type { Workspace } from '../../domain/workspace.js';
import { hintFor } from '../../lib/nearest.js';

/**
 * Names of the topologies that name a review queue (`artifacts.review_queues`). Throws KIT_USAGE
 * for one that none names.
 */
export function queuedTopologies({ topologies }: Pick<Workspace, 'topologies'>, queue: string): readonly string[] {
  const all = [...topologies.values()];
  const names = all.filter(({ reviewQueues }) => reviewQueues.includes(queue)).map(({ name }) => name);
  if (names.length > 0) return [...new Set(names)];
  const known = [...new Set(all.flatMap(({ reviewQueues }) => reviewQueues))];
  throw new KitError('KIT_USAGE', `no topology names the review queue ${queue}`, {
    hint: hintFor(queue, known, { fallback: 'Add it to `artifacts.review_queues` of a topology.' }),
    data: { queue, known },
  });
}
