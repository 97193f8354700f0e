import type { ReviewItem } from '../domain/gates.js';

/** What `hitl.requested` tells of an item that waits for people. */
export const requestOf = (item: ReviewItem) => ({
  review_queue_id: item.id,
  kind: item.kind,
  gate_id: item.gateId,
  role: item.role,
  summary: item.reason,
});
