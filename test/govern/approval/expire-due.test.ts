import { expect, test } from 'vitest';
import { expireDue } from '../../../src/govern/approval/expire-due.js';
import { gateReading } from '../../../src/govern/approval/gate-reading.js';
import { at, Desk, GATE, JOB, policy, registry, rule, task } from './build.js';

const ROLES = registry({ qa: ['ann', 'bob'], boss: ['zoe', 'yan'] });
const rejecting = policy([rule(['qa'])], {
  expiry: { afterMs: 3_600_000, remindBeforeMs: 600_000, action: 'reject', escalateTo: [] },
});
const escalating = policy([rule(['qa'])], {
  expiry: { afterMs: 3_600_000, remindBeforeMs: null, action: 'escalate', escalateTo: ['boss'] },
});

const judge = (desk: Desk, minutes: number) => {
  const later = desk.with({ now: at(minutes) });
  const change = expireDue(later.state, { newId: later.ids, roles: later.roles });
  return { change, desk: later.apply(change), types: change.events.map((event) => event.type) };
};

test('before its time nothing happens, then one reminder, then the rejection that wakes the run', () => {
  const opened = Desk.of(ROLES).open({ policy: rejecting });
  expect(judge(opened, 49).change).toMatchObject({
    result: { reminded: [], escalated: [], rejected: [] },
    gates: [],
    events: [],
    wake: null,
  });
  const reminded = judge(opened, 50);
  expect(reminded).toMatchObject({
    types: ['approval.reminder'],
    change: { result: { reminded: [GATE] }, wake: null },
  });
  expect(judge(reminded.desk, 59).types).toEqual([]);
  const rejected = judge(reminded.desk, 60);
  expect(rejected.types).toEqual(['approval.expired', 'hitl.resolved', 'approval.gate_resolved']);
  expect(rejected.change).toMatchObject({
    result: { rejected: [GATE] },
    wake: { type: 'run.resumed', payload: { from_status: 'deferred' } },
  });
  expect(rejected.change.events.at(-1)).toMatchObject({
    payload: { status: 'rejected', by: '', comment: 'not decided in time', resumed: true },
  });
  expect(judge(rejected.desk, 61).types).toEqual([]);
  expect(rejected.desk.attempt(task(0, 'qa'), 'ann').result).toMatchObject({
    refusal: 'gate_expired',
    code: 'KIT_GATE_EXPIRED',
  });
  expect(gateReading(rejected.desk.state, GATE, ROLES)).toMatchObject({ status: 'rejected', expired: true, stuck: [] });
});

test('a gate whose deadline passed while nothing ran is reminded of nothing: it expires', () => {
  expect(judge(Desk.of(ROLES).open({ policy: rejecting }), 10_000).types).toEqual([
    'approval.expired',
    'hitl.resolved',
    'approval.gate_resolved',
  ]);
});

test('a gate that was decided in time does not expire', () => {
  const decided = Desk.of(ROLES).open({ policy: rejecting }).decide(task(0, 'qa'), 'ann');
  expect(judge(decided, 10_000).types).toEqual([]);
  expect(gateReading(decided.with({ now: at(10_000) }).state, GATE, ROLES)?.expired).toBe(false);
});

test('an escalation adds one more rule for any of its roles, and the clock starts once more; then it rejects', () => {
  const opened = Desk.of(ROLES).open({ policy: escalating });
  const escalated = judge(opened, 75);
  expect(escalated.types).toEqual(['approval.expired', 'hitl.requested']);
  expect(escalated.change).toMatchObject({
    result: { escalated: [GATE] },
    wake: null,
    gates: [{ escalatedTo: ['boss'], expiresAt: at(135) }],
  });
  expect(escalated.change.items).toMatchObject([
    { id: task(1, 'boss'), scope: 'release:sign', escalated: true, stepKey: 'root/g0' },
  ]);
  const boss = escalated.desk.decide(task(1, 'boss'), 'zoe');
  expect(gateReading(boss.state, GATE, ROLES)).toMatchObject({
    status: 'pending',
    outstanding: ['qa (release:sign)'],
    escalated: true,
  });
  expect(boss.decide(task(0, 'qa'), 'ann').state.gates[0]?.status).toBe('approved');
  expect(judge(escalated.desk, 134).types).toEqual([]);
  expect(judge(escalated.desk, 135)).toMatchObject({
    types: ['approval.expired', 'hitl.resolved', 'hitl.resolved', 'approval.gate_resolved'],
  });
});

test('an attempt after the instant is refused even where the escalation was not carried out yet', () => {
  expect(
    Desk.of(ROLES)
      .open({ policy: escalating })
      .with({ now: at(61) })
      .attempt(task(0, 'qa'), 'ann').result,
  ).toMatchObject({ refusal: 'gate_expired' });
});

test('the rejection by the clock withdraws the other gates of the run, and a second gate that is due as well is not decided twice', () => {
  const other = {
    agentId: 'editor',
    gateId: `${JOB}:editor`,
    stepKey: 'root/c0:editor/g0',
    activation: 'root/c0:editor',
  };
  const due = judge(
    Desk.of(ROLES)
      .open({ policy: rejecting })
      .open({ policy: rejecting, ...other }),
    60,
  );
  expect(due.desk.state.gates).toMatchObject([
    { gateId: GATE, status: 'rejected', withdrawn: false },
    { gateId: `${JOB}:editor`, status: 'pending', withdrawn: true },
  ]);
  expect(due.types.filter((type) => type === 'approval.gate_resolved')).toHaveLength(1);
});

test('a stopped run expires and does not wake; an ended one has no deadlines', () => {
  const opened = Desk.of(ROLES).open({ policy: rejecting });
  expect(judge(opened.withJob({ status: 'stopped' }), 60).change).toMatchObject({
    result: { rejected: [GATE] },
    wake: null,
  });
  expect(judge(opened.withJob({ status: 'completed' }), 60).types).toEqual([]);
  expect(judge(opened.withJob({ autoResume: false }), 60).change.wake).toBeNull();
});
