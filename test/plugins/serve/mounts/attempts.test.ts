import { afterEach, beforeEach, expect, it } from 'vitest';
import { openReviewServer, type ReviewServer } from '../../../support/http/review-server.js';

let desk: ReviewServer;
beforeEach(async () => {
  desk = await openReviewServer();
});
afterEach(() => desk.world.dispose());

it.each([
  ['resolve', { outcome: 'approve' }, 'mallory', 403, 'KIT_APPROVAL_DENIED', 'approve'],
  ['resolve', { outcome: 'perhaps' }, 'qa-1', 422, 'KIT_OUTCOME_INVALID', 'perhaps'],
  ['approve', {}, 'mallory', 409, 'KIT_ROLE_TASK', 'approve'],
  ['reject', { comment: 'no' }, 'qa-1', 409, 'KIT_ROLE_TASK', 'reject'],
  ['answer', { answer: 'yes' }, 'qa-1', 409, 'KIT_ROLE_TASK', 'answer'],
] as const)(
  'leaves a record of a refused attempt to %s a role task with %o by %s',
  async (action, body, who, status, code, outcome) => {
    const { job, gate } = await desk.world.parked();
    const before = (await desk.world.typesOf(job.id)).length;

    const answer = await desk.post(`/review/${encodeURIComponent(`mpa-${gate.gateId}-0-qa`)}/${action}`, body, who);

    expect(answer.status).toBe(status);
    const [event, ...more] = (await desk.world.sqlite.stores.events.readRun(job.id, 0, 1000)).slice(before);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'approval.role_task_resolved',
      payload: {
        identity: who,
        client_name: who,
        assurance: 'authenticated',
        allowed: false,
        code,
        outcome,
        decision_id: null,
      },
    });
    expect(await desk.world.sqlite.stores.reviews.item(`mpa-${gate.gateId}-0-qa`)).toMatchObject({ status: 'pending' });
  },
);
