import { expect, test } from 'vitest';
import { MAX_ROUNDS } from '../../../src/domain/gates.js';
import { openRound } from '../../../src/govern/approval/open-round.js';
import { sha256Hex } from '../../../src/lib/sha256.js';
import { at, Desk, GATE, policy, registry, rule, T0, task } from './build.js';

const ROLES = registry({ qa: ['ann', 'bob'], ops: ['cid', 'bob'] });
const V2 = { sha256: sha256Hex('second draft'), stepKey: 'root/g1' };
const change = { outcome: 'changes_requested', comment: 'shorter, please' };

test('a round has a task for each role of each rule, with ids that carry the round from the second one on', () => {
  const two = policy([rule(['qa', 'ops']), rule(['qa'], 'any')]);
  const first = Desk.of(ROLES).open({ policy: two });
  expect(first.state.items.map((item) => item.id)).toEqual([
    `mpa-${GATE}-0-qa`,
    `mpa-${GATE}-0-ops`,
    `mpa-${GATE}-1-qa`,
  ]);
  const second = first.decide(task(0, 'ops'), 'cid', change).open({ policy: two, ...V2 });
  expect(second.state.items.slice(3).map((item) => item.id)).toEqual([
    `mpa-${GATE}-0-qa-r1`,
    `mpa-${GATE}-0-ops-r1`,
    `mpa-${GATE}-1-qa-r1`,
  ]);
  expect(second.state.gates.map((gate) => [gate.round, gate.status])).toEqual([
    [0, 'changes-requested'],
    [1, 'pending'],
  ]);
});

test('with reset_all nothing carries over, whatever was signed', () => {
  const two = policy([rule(['qa']), rule(['ops'])]);
  const opened = Desk.of(ROLES)
    .open({ policy: two })
    .decide(task(0, 'qa'), 'ann')
    .decide(task(1, 'ops'), 'cid', change)
    .open({ policy: two, sha256: sha256Hex('draft'), stepKey: 'root/g1' });
  expect(opened.state.items.filter((item) => item.round === 1).map((item) => item.status)).toEqual([
    'pending',
    'pending',
  ]);
});

const covering = policy([rule(['qa'], 'all', ['/summary']), rule(['ops'])], { onRevision: 'reconfirm_changed' });
const parts = (summary: string) => ({ '0': { '/summary': sha256Hex(summary) } });
const reworked = (summary: string, sha256 = V2.sha256) =>
  Desk.of(ROLES)
    .open({ policy: covering, parts: parts('one') })
    .decide(task(0, 'qa'), 'ann', { comment: 'good' })
    .decide(task(1, 'ops'), 'cid', change)
    .open({ policy: covering, ...V2, sha256, parts: parts(summary) });

test('an approval is kept when the parts that its rule covers are equal, as a record of its own for the new bytes', () => {
  const { items, decisions } = reworked('one').state;
  expect(items.find((item) => item.id === task(0, 'qa', 1))).toMatchObject({
    status: 'approved',
    resolvedBy: 'ann',
    comment: 'good',
  });
  expect(decisions.at(-1)).toMatchObject({
    itemId: task(0, 'qa', 1),
    round: 1,
    carriedFrom: 0,
    sha256: V2.sha256,
    person: 'ann',
    at: T0,
    signature: null,
    stale: false,
  });
  expect(new Set(decisions.map((decision) => decision.id)).size).toBe(3);
  expect(
    reworked('one')
      .decide(task(1, 'ops', 1), 'cid')
      .state.gates.at(-1)?.status,
  ).toBe('approved');
});

test('an approval is void when one covered part differs or is gone, and a rule without covers keeps nothing of changed bytes', () => {
  expect(reworked('two').state.items.find((item) => item.id === task(0, 'qa', 1))?.status).toBe('pending');
  const gone = Desk.of(ROLES)
    .open({ policy: covering, parts: parts('one') })
    .decide(task(0, 'qa'), 'ann')
    .decide(task(1, 'ops'), 'cid', change);
  expect(
    gone.open({ policy: covering, ...V2, parts: { '0': {} } }).state.items.find((item) => item.id === task(0, 'qa', 1))
      ?.status,
  ).toBe('pending');
  const whole = policy([rule(['qa']), rule(['ops'])], { onRevision: 'reconfirm_changed' });
  const twice = (sha256: string) =>
    Desk.of(ROLES)
      .open({ policy: whole })
      .decide(task(0, 'qa'), 'ann')
      .decide(task(1, 'ops'), 'cid', change)
      .open({ policy: whole, ...V2, sha256 })
      .state.items.find((item) => item.id === task(0, 'qa', 1))?.status;
  expect(twice(V2.sha256)).toBe('pending');
  expect(twice(sha256Hex('draft'))).toBe('approved');
});

test('a carried approval still names the round in which it was made two rounds later', () => {
  const third = reworked('one')
    .decide(task(1, 'ops', 1), 'cid', change)
    .open({ policy: covering, sha256: sha256Hex('third'), stepKey: 'root/g2', parts: parts('one') });
  expect(third.state.decisions.at(-1)).toMatchObject({ round: 2, carriedFrom: 0, person: 'ann' });
});

test('carried approvals can decide a round at once; its other tasks are withdrawn', () => {
  const any = policy([rule(['qa', 'ops'], 'any')], { onRevision: 'reconfirm_changed', minDistinctApprovers: 2 });
  const before = Desk.of(ROLES)
    .open({ policy: any })
    .decide(task(0, 'qa'), 'ann')
    .decide(task(0, 'ops'), 'cid', change);
  const lower = { ...any, minDistinctApprovers: null };
  const opened = openRound(before.state, before.request({ policy: lower, stepKey: 'root/g1' }));
  expect(opened).toMatchObject({ status: 'approved', opening: { gate: { status: 'approved', decidedAt: T0 } } });
  expect('opening' in opened && opened.opening.items.map((item) => [item.status, item.withdrawn])).toEqual([
    ['approved', false],
    ['pending', true],
  ]);
});

test('no decision crosses over to another activation of the agent, and no round number is used twice', () => {
  const whole = policy([rule(['qa'])], { onRevision: 'reconfirm_changed' });
  const second = Desk.of(ROLES)
    .open({ policy: whole })
    .decide(task(0, 'qa'), 'ann')
    .open({ policy: whole, activation: 'root/c1:writer' });
  expect(second.state.gates.at(-1)).toMatchObject({ round: 1, status: 'pending', activation: 'root/c1:writer' });
  expect(second.state.items.at(-1)?.status).toBe('pending');
});

test('an activation gets MAX_ROUNDS rounds; another activation of the agent gets its own', () => {
  const simple = policy([rule(['qa'])]);
  let desk = Desk.of(ROLES);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    desk = desk
      .open({ policy: simple, sha256: sha256Hex(`draft ${round}`), stepKey: `root/g${round}` })
      .decide(task(0, 'qa', round), 'ann', change);
  }
  expect(openRound(desk.state, desk.request({ policy: simple }))).toEqual({ failed: 'rework_exhausted' });
  expect(openRound(desk.state, desk.request({ policy: simple, activation: 'root/c1:writer' }))).toMatchObject({
    opening: { gate: { round: MAX_ROUNDS } },
  });
});

test('the clock of a round starts when it opens', () => {
  const expiring = policy([rule(['qa'])], {
    expiry: { afterMs: 3_600_000, remindBeforeMs: 600_000, action: 'reject', escalateTo: [] },
  });
  expect(
    Desk.of(ROLES)
      .with({ now: at(5) })
      .open({ policy: expiring }).state.gates[0],
  ).toMatchObject({ openedAt: at(5), remindAt: at(55), expiresAt: at(65) });
});

test('an artifact that the layers gave up on marks its tasks as escalated', () => {
  const evidence = {
    ...Desk.of(ROLES).request({ policy: policy([rule(['qa'])]) }).evidence,
    escalated: true,
    retries: 2,
  };
  expect(Desk.of(ROLES).open({ policy: policy([rule(['qa'])]), evidence }).state.items[0]?.escalated).toBe(true);
});
