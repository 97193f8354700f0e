import { randomUUID } from 'node:crypto';
import type { Outcome, ReviewItem, ReviewState } from '../../src/domain/gates.js';
import type { ReviewStore } from '../../src/domain/ports/reviews.js';
import { answerItem } from '../../src/govern/approval/answer-item.js';
import { resolveItem } from '../../src/govern/approval/resolve-item.js';
import { CRASH_ROLES } from './crash-topology.js';

/**
 * The people of the gated scenarios, one decision a transaction, until nothing is open. They have
 * no memory: what they decide is read from the state, so any process goes on where the one before
 * it died. In the first round of an activation `qa` approves and `ops` asks for changes; after it
 * both approve.
 */
export async function decideAll(reviews: Pick<ReviewStore, 'state' | 'change'>, jobId: string): Promise<void> {
  for (;;) {
    const state = await reviews.state(jobId);
    const item = state === null ? undefined : openItems(state)[0];
    if (state === null || item === undefined || state.job.status !== 'deferred') return;
    if (item.kind !== 'role_task') {
      const { result } = await reviews.change(jobId, (now) =>
        answerItem(now, { itemId: item.id, identity: 'qa-1', newId: randomUUID, ...answerTo(item) }),
      );
      if (result.kind === 'refused') throw new Error(result.message);
      continue;
    }
    const { result } = await reviews.change(jobId, (now) =>
      resolveItem(now, {
        itemId: item.id,
        identity: `${item.role}-1`,
        assurance: 'asserted',
        isUnauthenticated: true,
        outcome: outcomeOf(state, item),
        comment: `${item.role} about round ${item.round}`,
        roles: CRASH_ROLES,
        newId: randomUUID,
        sign: null,
      }),
    );
    if (result.kind === 'refused') throw new Error(result.message);
  }
}

/** Calls are approved; of what may have happened already nothing is done again. */
const answerTo = (item: ReviewItem) => {
  const [, second = null] = item.options;
  return second === null
    ? ({ action: 'approve', answer: null, comment: '' } as const)
    : ({ action: 'answer', answer: second, comment: '' } as const);
};

const openItems = (state: ReviewState): readonly ReviewItem[] =>
  state.items
    .filter((item) => item.status === 'pending' && !item.stale && !item.withdrawn)
    .toSorted((a, b) => order(a).localeCompare(order(b)));

const order = (item: ReviewItem): string => `${item.gateId} ${item.role === 'qa' ? 0 : 1}`;

function outcomeOf(state: ReviewState, item: ReviewItem): Outcome {
  const gate = state.gates.find((one) => one.gateId === item.gateId && one.round === item.round);
  const first = state.gates.find((one) => one.gateId === gate?.gateId && one.activation === gate.activation);
  return item.role === 'ops' && gate !== undefined && first?.round === gate.round ? 'changes_requested' : 'approve';
}
