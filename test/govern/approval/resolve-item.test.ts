import { expect, test } from 'vitest';
import { at, Desk, GATE, policy, registry, rule, task } from './build.js';

const TWO = registry({ qa: ['ann', 'bob'], ops: ['bob', 'cid'] });
const both = policy([rule(['qa', 'ops'])]);

const statusOf = (desk: Desk): string | undefined => desk.state.gates.at(-1)?.status;

test('all of two roles: the second approval decides the gate and wakes the job', () => {
  const first = Desk.of(TWO).open({ policy: both }).attempt(task(0, 'qa'), 'ann');
  expect(first).toMatchObject({ result: { kind: 'recorded', unchanged: false, reopened: null, gate: { status: 'pending' } }, wake: null });
  expect(first.events.map((event) => event.type)).toEqual(['approval.role_task_resolved', 'hitl.resolved']);
  const second = Desk.of(TWO).open({ policy: both }).decide(task(0, 'qa'), 'ann').attempt(task(0, 'ops'), 'cid');
  expect(second.result).toMatchObject({ kind: 'recorded', gate: { status: 'approved' }, item: { status: 'approved', resolvedBy: 'cid' } });
  expect(second.events.map((event) => event.type)).toEqual(['approval.role_task_resolved', 'hitl.resolved', 'approval.gate_resolved']);
  expect(second.events.at(-1)).toMatchObject({ payload: { gate_id: GATE, status: 'approved', approvers: ['ann', 'cid'], by: 'cid', resumed: true } });
  expect(second.wake).toMatchObject({ type: 'run.resumed', payload: { requested_by: 'cid', from_status: 'deferred' } });
});

test('any: the first approval decides, and the task that nobody needs is withdrawn with its status pending', () => {
  const desk = Desk.of(TWO).open({ policy: policy([rule(['qa', 'ops'], 'any')]) });
  const change = desk.attempt(task(0, 'ops'), 'bob');
  expect(change.result).toMatchObject({ gate: { status: 'approved' } });
  expect(change.items).toMatchObject([
    { id: task(0, 'ops'), status: 'approved' },
    { id: task(0, 'qa'), status: 'pending', withdrawn: true },
  ]);
  expect(change.events.map((event) => event.type)).toEqual([
    'approval.role_task_resolved',
    'hitl.resolved',
    'hitl.resolved',
    'approval.gate_resolved',
  ]);
  expect(change.events[2]).toMatchObject({ payload: { decision: 'withdrawn', review_queue_id: task(0, 'qa') } });
});

test('two tasks done by one person under a floor of two: the last one opens again, for somebody who has not signed', () => {
  const desk = Desk.of(TWO).open({ policy: policy([rule(['qa', 'ops'])], { minDistinctApprovers: 2 }) });
  const change = desk.decide(task(0, 'qa'), 'bob').attempt(task(0, 'ops'), 'bob');
  expect(change.result).toMatchObject({
    kind: 'recorded',
    reopened: task(0, 'ops'),
    item: { status: 'pending', reopened: 1 },
    decision: { stale: true },
  });
  const again = desk.decide(task(0, 'qa'), 'bob').apply(change);
  expect(again.attempt(task(0, 'ops'), 'bob').result).toMatchObject({ kind: 'refused', refusal: 'signed_already', code: 'KIT_APPROVAL_DENIED' });
  const done = again.decide(task(0, 'ops'), 'cid');
  expect(statusOf(done)).toBe('approved');
  expect(done.state.decisions.map((decision) => [decision.person, decision.stale])).toEqual([
    ['bob', false],
    ['bob', true],
    ['cid', false],
  ]);
});

test('an attempt at the very instant of expiry is too late, whether anything ran or not', () => {
  const expiring = policy([rule(['qa'])], { expiry: { afterMs: 3_600_000, remindBeforeMs: null, action: 'reject', escalateTo: [] } });
  const desk = Desk.of(TWO).open({ policy: expiring });
  expect(desk.with({ now: at(59) }).attempt(task(0, 'qa'), 'ann').result.kind).toBe('recorded');
  expect(desk.with({ now: at(60) }).attempt(task(0, 'qa'), 'ann').result).toMatchObject({ kind: 'refused', code: 'KIT_GATE_EXPIRED' });
});
