import { afterEach, beforeEach, expect, it } from 'vitest';
import { KitError } from '../../../../src/domain/errors.js';
import { openReviewServer, type ReviewServer } from '../../../support/http/review-server.js';
import { as } from '../../../support/http/serve-group.js';

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

it.each([
  ['resolve', { outcome: 'approve' }, ''],
  ['approve', {}, 'approve'],
  ['reject', { comment: 'no' }, 'reject'],
  ['answer', { answer: 'yes' }, 'answer'],
] as const)(
  'leaves a record of an attempt to %s a role task with a key that may only read',
  async (action, payload, outcome) => {
    const { job, gate } = await desk.world.parked();
    const before = (await desk.world.typesOf(job.id)).length;
    const item = `mpa-${gate.gateId}-0-qa`;
    const url = `/review/${encodeURIComponent(item)}/${action}`;

    for (const _ of [1, 2]) {
      const answer = await desk.server.inject({ method: 'POST', url, headers: as('read', 'qa-1'), payload });
      expect(answer.json()).toMatchObject({ status: 403, code: 'scope-missing' });
    }

    const [event, ...more] = (await desk.world.sqlite.stores.events.readRun(job.id, 0, 1000)).slice(before);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'approval.role_task_resolved',
      payload: {
        item_id: item,
        identity: 'qa-1',
        client_name: 'qa-1',
        allowed: false,
        code: 'KIT_SCOPE_MISSING',
        reason: '"qa-1" lacks the scope serve:run',
        outcome,
        decision_id: null,
      },
    });
  },
);

it('leaves no record of a stranger, nor of an item that is not there', async () => {
  const { job, gate } = await desk.world.parked();
  const before = await desk.world.typesOf(job.id);
  const item = encodeURIComponent(`mpa-${gate.gateId}-0-qa`);

  const unknown = await desk.server.inject({ method: 'POST', url: `/review/${item}/resolve` });
  expect(unknown.statusCode).toBe(401);
  const absent = await desk.server.inject({ method: 'POST', url: '/review/none/resolve', headers: as('read') });
  expect(absent.statusCode).toBe(403);
  expect(await desk.world.typesOf(job.id)).toEqual(before);
});

it.each(['resolve', 'approve'])(
  'leaves a record of an attempt to %s while the registry has a mistake',
  async (action) => {
    const broken = await openReviewServer({
      readRoles: async () => {
        throw new KitError('KIT_WORKSPACE_INVALID', 'roles/people.yaml has a mistake');
      },
    });
    try {
      const { job, gate } = await broken.world.parked();
      const before = (await broken.world.typesOf(job.id)).length;
      await broken.post(`/review/${encodeURIComponent(`mpa-${gate.gateId}-0-qa`)}/${action}`, { outcome: 'approve' });

      const [event] = (await broken.world.sqlite.stores.events.readRun(job.id, 0, 1000)).slice(before);
      expect(event?.payload).toMatchObject({ identity: 'qa-1', person: 'qa-1', allowed: false, registry_digest: '' });
    } finally {
      await broken.world.dispose();
    }
  },
);
