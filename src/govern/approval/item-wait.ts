import type { ReviewItem } from '../../domain/gates.js';
import type { Wait } from '../../domain/wait.js';

/** What the `error` of a parked job says of one question to people. */
export const itemWait = (item: Pick<ReviewItem, 'id' | 'kind' | 'agentId'>): Wait => ({
  id: item.id,
  text: `${item.kind} ${item.id} of ${item.agentId} awaits an answer`,
});
