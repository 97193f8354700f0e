import { expect, test } from 'vitest';
import { foldGate } from '../../../src/govern/approval/fold.js';
import { policyDigest } from '../../../src/govern/approval/policy-digest.js';
import { canonicalJson } from '../../../src/lib/canonical-json.js';
import { at, Desk, GATE, JOB, policy, registry, rule, T0, task } from './build.js';

const TWO = registry({ qa: ['ann', 'bob'], ops: ['bob', 'cid'] });
const both = policy([rule(['qa', 'ops'])]);

const statusOf = (desk: Desk): string | undefined => desk.state.gates.at(-1)?.status;

test('all of two roles: the second approval decides the gate and wakes the job', () => {
  const first = Desk.of(TWO).open({ policy: both }).attempt(task(0, 'qa'), 'ann');
  expect(first).toMatchObject({
    result: { kind: 'recorded', unchanged: false, reopened: null, gate: { status: 'pending' } },
    wake: null,
  });
  expect(first.events.map((event) => event.type)).toEqual(['approval.role_task_resolved', 'hitl.resolved']);
  const second = Desk.of(TWO).open({ policy: both }).decide(task(0, 'qa'), 'ann').attempt(task(0, 'ops'), 'cid');
  expect(second.result).toMatchObject({
    kind: 'recorded',
    gate: { status: 'approved' },
    item: { status: 'approved', resolvedBy: 'cid' },
  });
  expect(second.events.map((event) => event.type)).toEqual([
    'approval.role_task_resolved',
    'hitl.resolved',
    'approval.gate_resolved',
  ]);
  expect(second.events.at(-1)).toMatchObject({
    payload: { gate_id: GATE, status: 'approved', approvers: ['ann', 'cid'], by: 'cid', resumed: true },
  });
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
  expect(again.attempt(task(0, 'ops'), 'bob').result).toMatchObject({
    kind: 'refused',
    refusal: 'signed_already',
    code: 'KIT_APPROVAL_DENIED',
  });
  const done = again.decide(task(0, 'ops'), 'cid');
  expect(statusOf(done)).toBe('approved');
  expect(done.state.decisions.map((decision) => [decision.person, decision.stale])).toEqual([
    ['bob', false],
    ['bob', true],
    ['cid', false],
  ]);
});

test('an attempt at the very instant of expiry is too late, whether anything ran or not', () => {
  const expiring = policy([rule(['qa'])], {
    expiry: { afterMs: 3_600_000, remindBeforeMs: null, action: 'reject', escalateTo: [] },
  });
  const desk = Desk.of(TWO).open({ policy: expiring });
  expect(desk.with({ now: at(59) }).attempt(task(0, 'qa'), 'ann').result.kind).toBe('recorded');
  expect(desk.with({ now: at(60) }).attempt(task(0, 'qa'), 'ann').result).toMatchObject({
    kind: 'refused',
    code: 'KIT_GATE_EXPIRED',
  });
});

test('k-of counts roles: one person who completes two of them fills the quorum alone', () => {
  const desk = Desk.of(TWO).open({ policy: policy([rule(['qa', 'ops'], { kOf: 2 })]) });
  expect(statusOf(desk.decide(task(0, 'qa'), 'bob').decide(task(0, 'ops'), 'bob'))).toBe('approved');
});

test('a request for changes decides the round, with the comment and who asked, and wins over approvals', () => {
  const desk = Desk.of(TWO).open({ policy: both }).decide(task(0, 'qa'), 'ann');
  const change = desk.attempt(task(0, 'ops'), 'cid', { outcome: 'changes-requested', comment: 'shorter' });
  expect(change.result).toMatchObject({
    gate: { status: 'changes-requested' },
    item: { status: 'changes-requested', comment: 'shorter' },
  });
  expect(change.events.at(-1)).toMatchObject({
    type: 'approval.changes_requested',
    payload: { stage: 'writer', round: 0, by: 'cid', comment: 'shorter' },
  });
  expect(change.events[0]).toMatchObject({ payload: { outcome: 'changes_requested' } });
  expect(change.decisions).toMatchObject([{ outcome: 'changes_requested' }]);
  expect(change.wake).not.toBeNull();
});

test('a rejection ends the run: its other gates, their tasks and its other open items are withdrawn', () => {
  const other = { gateId: `${JOB}:editor`, agentId: 'editor', activation: 'root/c0:editor' };
  const opened = Desk.of(TWO)
    .open({ policy: both })
    .open({ policy: both, ...other });
  const [first] = opened.state.items;
  if (first === undefined) throw new Error('a round has tasks');
  const question = {
    ...first,
    id: 'question-1',
    kind: 'input' as const,
    gateId: null,
    ruleIndex: null,
    role: null,
    scope: null,
  };
  const desk = opened.with({ items: [...opened.state.items, question] });
  const change = desk.attempt(task(0, 'qa'), 'ann', { outcome: 'reject', comment: 'no' });
  const after = desk.apply(change).state;
  expect(after.gates.map((gate) => [gate.gateId, gate.status, gate.withdrawn])).toEqual([
    [GATE, 'rejected', false],
    [`${JOB}:editor`, 'pending', true],
  ]);
  expect(after.items.filter((item) => item.status === 'pending').every((item) => item.withdrawn)).toBe(true);
  expect(change.events.filter((event) => event.type === 'hitl.resolved')).toHaveLength(5);
  expect(change.events.filter((event) => event.type === 'approval.gate_resolved')).toMatchObject([
    { payload: { status: 'rejected', by: 'ann', comment: 'no' } },
  ]);
  expect(desk.apply(change).attempt(`mpa-${JOB}:editor-0-qa`, 'ann').result).toMatchObject({ refusal: 'withdrawn' });
});

test('an edit of the registry neither voids nor adds a decision, and decides about the next one', () => {
  const desk = Desk.of(TWO)
    .open({ policy: both })
    .decide(task(0, 'qa'), 'ann')
    .withRoles(registry({ qa: ['bob'], ops: ['zoe'] }));
  expect(desk.attempt(task(0, 'ops'), 'cid').result).toMatchObject({ refusal: 'no_role' });
  expect(statusOf(desk.decide(task(0, 'ops'), 'zoe'))).toBe('approved');
});

test('two names of one person are one signature towards the floor', () => {
  const roles = registry({ qa: ['ann'], ops: ['ann@example.org', 'cid'] }, [
    { id: 'ann', aliases: ['ann@example.org'] },
  ]);
  const desk = Desk.of(roles)
    .open({ policy: policy([rule(['qa', 'ops'])], { minDistinctApprovers: 2 }) })
    .decide(task(0, 'qa'), 'ann');
  expect(desk.attempt(task(0, 'ops'), 'ann@example.org').result).toMatchObject({
    reopened: task(0, 'ops'),
    decision: { person: 'ann', identity: 'ann@example.org' },
  });
  expect(statusOf(desk.decide(task(0, 'ops'), 'cid'))).toBe('approved');
});

test('somebody whose second name was written down after they signed has still signed the round', () => {
  const roles = registry({ qa: ['ann', 'dan'], ops: ['ann', 'ann2'] });
  const desk = Desk.of(roles)
    .open({ policy: policy([rule(['qa', 'ops'])], { minDistinctApprovers: 2 }) })
    .decide(task(0, 'qa'), 'ann')
    .decide(task(0, 'ops'), 'ann');
  expect(desk.attempt(task(0, 'ops'), 'ann2').result.kind).toBe('recorded');
  const merged = desk.withRoles(registry({ qa: ['ann'], ops: ['ann2'] }, [{ id: 'a', aliases: ['ann', 'ann2'] }]));
  expect(merged.attempt(task(0, 'ops'), 'ann2').result).toMatchObject({ refusal: 'signed_already' });
});

test('the task that opens again is the one completed last by somebody who completed two, and it opens as often as it must', () => {
  const roles = registry({ a: ['ann'], b: ['ann', 'bob', 'cid'], c: ['ann', 'bob', 'cid'] });
  const three = policy([rule(['a', 'b', 'c'])], { minDistinctApprovers: 3 });
  const first = Desk.of(roles)
    .open({ policy: three })
    .decide(task(0, 'c'), 'ann')
    .decide(task(0, 'b'), 'ann')
    .attempt(task(0, 'a'), 'ann');
  expect(first.result).toMatchObject({ reopened: task(0, 'a') });
  const mixed = Desk.of(roles).open({ policy: three }).decide(task(0, 'a'), 'ann').decide(task(0, 'b'), 'ann');
  const last = mixed.attempt(task(0, 'c'), 'bob');
  expect(last.result).toMatchObject({ item: { id: task(0, 'c'), status: 'approved' }, reopened: task(0, 'b') });
  expect(last.events.map((event) => event.type)).toEqual([
    'approval.role_task_resolved',
    'hitl.resolved',
    'hitl.requested',
  ]);
  expect(statusOf(mixed.apply(last).decide(task(0, 'b'), 'cid'))).toBe('approved');
});

test('only the whole digest makes a decision count: equal beginnings do not', () => {
  const desk = Desk.of(TWO).open({ policy: both }).decide(task(0, 'qa'), 'ann');
  const [gate] = desk.state.gates;
  if (gate === undefined) throw new Error('a gate was opened');
  const collision = `${gate.sha256.slice(0, 12)}${'0'.repeat(52)}`;
  expect(foldGate({ ...gate, sha256: collision }, desk.state.decisions).approvers).toEqual([]);
  expect(foldGate(gate, desk.state.decisions).approvers).toEqual(['ann']);
});

test('a decision holds what policy, registry and artifact were, and is signed over its canonical JSON', () => {
  const signed: string[] = [];
  const signature = { keyId: '0', publicKey: 'p', value: 'v' };
  const sign = (body: string) => {
    signed.push(body);
    return signature;
  };
  const { result } = Desk.of(TWO).open({ policy: both }).attempt(task(0, 'qa'), 'ann', { comment: 'fine', sign });
  if (result.kind !== 'recorded' || result.decision === null) throw new Error('it is recorded');
  const { stale, signature: kept, ...body } = result.decision;
  expect(stale).toBe(false);
  expect(kept).toBe(signature);
  expect(signed).toEqual([canonicalJson(body)]);
  expect(body).toMatchObject({
    registryDigest: TWO.digest,
    policyDigest: policyDigest(both),
    carriedFrom: null,
    comment: 'fine',
    at: T0,
  });
});

test('a run that does not wait, or waits for an explicit resume, is not woken', () => {
  const one = policy([rule(['qa'])]);
  for (const job of [{ status: 'running' }, { autoResume: false }] as const) {
    const change = Desk.of(TWO, job).open({ policy: one }).attempt(task(0, 'qa'), 'ann');
    expect(change).toMatchObject({ result: { gate: { status: 'approved' } }, wake: null });
    expect(change.events.at(-1)).toMatchObject({ payload: { resumed: false } });
  }
});
