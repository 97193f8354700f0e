import { expect, test } from 'vitest';
import { gateReading } from '../../../src/govern/approval/gate-reading.js';
import { Desk, emptyState, GATE, policy, registry, rule, SCOPE, task } from './build.js';

const ROLES = registry({ qa: ['ann', 'bob'], ops: ['cid', 'bob'] });
const both = policy([rule(['qa', 'ops'])]);
const reading = (desk: Desk) => gateReading(desk.state, GATE, desk.roles);

test('a gate tells what it waits for, who may act and who has signed', () => {
  const desk = Desk.of(ROLES).open({ policy: both }).decide(task(0, 'qa'), 'ann', { comment: 'fine' });
  expect(reading(desk)).toMatchObject({
    gateId: GATE,
    status: 'pending',
    quorumEvaluated: true,
    resolved: false,
    runId: '0123456789ab',
    round: 0,
    distinctApprovers: ['ann'],
    outstanding: [`ops (${SCOPE})`],
    open: [{ itemId: task(0, 'ops'), people: ['cid', 'bob'], stuck: null }],
    stuck: [],
    resolutions: [{ itemId: task(0, 'qa'), status: 'approved', resolvedBy: 'ann', comment: 'fine', stale: false }],
    excludeAuthorUnapplied: false,
    author: { identity: 'eve', identified: true, note: null },
  });
  expect(gateReading(emptyState(), GATE, ROLES)).toBeNull();
});

test('an approved gate waits for nobody, and earlier rounds show as stale', () => {
  const done = Desk.of(ROLES)
    .open({ policy: both })
    .decide(task(0, 'qa'), 'ann', { outcome: 'changes-requested', comment: 'shorter' })
    .open({ policy: both, stepKey: 'root/g1' })
    .decide(task(0, 'qa', 1), 'ann')
    .decide(task(0, 'ops', 1), 'cid');
  expect(reading(done)).toMatchObject({
    status: 'approved',
    resolved: true,
    round: 1,
    outstanding: [],
    open: [],
    rounds: [{ round: 0 }, { round: 1 }],
  });
  expect(reading(done)?.resolutions.map((resolution) => [resolution.status, resolution.stale])).toEqual([
    ['changes-requested', true],
    ['approved', false],
    ['approved', false],
  ]);
  expect(reading(done)?.items.map((item) => item.id)).toEqual([task(0, 'qa', 1), task(0, 'ops', 1)]);
});

test('under any, a gate that lacks people alone waits for every open task', () => {
  const desk = Desk.of(ROLES)
    .open({ policy: policy([rule(['qa', 'ops'], 'any')], { minDistinctApprovers: 2 }) })
    .decide(task(0, 'qa'), 'ann');
  expect(reading(desk)).toMatchObject({ status: 'pending', outstanding: [`ops (${SCOPE})`], minDistinctApprovers: 2 });
});

test('a floor above everybody who could sign is said while tasks are still open, unless an escalation brings more people', () => {
  const alone = registry({ qa: ['ann'], ops: ['ann'], lead: ['zoe'] });
  const floor = policy([rule(['qa', 'ops'])], { minDistinctApprovers: 2 });
  expect(reading(Desk.of(alone).open({ policy: floor }))?.stuck).toEqual(['2 people have to sign, and at most 1 can']);
  expect(reading(Desk.of(ROLES).open({ policy: floor }))?.stuck).toEqual([]);
  const escalating = policy(floor.rules, {
    ...floor,
    expiry: { afterMs: 60_000, remindBeforeMs: null, action: 'escalate', escalateTo: ['lead'] },
  });
  expect(reading(Desk.of(alone).open({ policy: escalating }))?.stuck).toEqual([]);
});

test('the live registry decides who may act: each way in which nobody can is said', () => {
  const desk = Desk.of(ROLES).open({ policy: both });
  const stuckWith = (roles: typeof ROLES, author = 'eve') =>
    gateReading(desk.withJob({ submittedBy: { identity: author, assurance: 'authenticated' } }).state, GATE, roles)
      ?.stuck;
  const lacking = 'rule 1 needs 2 of its roles and can get 1';
  expect(stuckWith(registry({ qa: ['ann'] }))).toEqual([
    `${task(0, 'ops')}: no role registry defines the role ops`,
    lacking,
  ]);
  expect(stuckWith(registry({ qa: ['ann'], ops: [] }))).toEqual([
    `${task(0, 'ops')}: the role ops has no member`,
    lacking,
  ]);
  expect(
    stuckWith({ ...ROLES, roles: [...registry({ qa: ['ann'] }).roles, { id: 'ops', members: ['cid'], scopes: [] }] }),
  ).toEqual([`${task(0, 'ops')}: the role ops does not confer ${SCOPE}`, lacking]);
  expect(stuckWith(registry({ qa: ['ann'], ops: ['cid'] }), 'cid')).toEqual([
    `${task(0, 'ops')}: cid submitted the run and is the only member of the role ops`,
    lacking,
  ]);
  expect(stuckWith(registry({ qa: ['ann'], ops: ['bob'] }))).toEqual([]);
});

test('a reopened task that only people who signed could complete is stuck', () => {
  const roles = registry({ qa: ['ann', 'bob'], ops: ['ann'] });
  const desk = Desk.of(roles)
    .open({ policy: policy([rule(['qa', 'ops'])], { minDistinctApprovers: 2 }) })
    .decide(task(0, 'qa'), 'ann')
    .decide(task(0, 'ops'), 'ann');
  expect(reading(desk)?.stuck).toEqual([
    `${task(0, 'ops')}: every member of the role ops who may decide has signed this round already`,
    'rule 1 needs 2 of its roles and can get 1',
  ]);
});

test('a gate whose tasks are all done by too few, each by another person, says that nothing can open again', () => {
  const desk = Desk.of(ROLES)
    .open({ policy: policy([rule(['qa'])], { minDistinctApprovers: 2 }) })
    .decide(task(0, 'qa'), 'ann');
  expect(reading(desk)?.stuck).toEqual([
    'every task is done, 1 of 2 people signed, and nobody signed twice: no task can open again',
  ]);
});

test('an author whom nobody knows is shown so', () => {
  const by = (identity: string, assurance: 'authenticated' | 'asserted' | 'system', roles = ROLES) =>
    gateReading(Desk.of(ROLES, { submittedBy: { identity, assurance } }).open({ policy: both }).state, GATE, roles);
  expect(by('anonymous', 'asserted')).toMatchObject({
    author: { identified: false, note: 'author not identified' },
    excludeAuthorUnapplied: true,
  });
  expect(by('root', 'asserted')).toMatchObject({ author: { identified: false } });
  expect(by('ann', 'asserted')).toMatchObject({ author: { identified: true } });
  expect(by('root', 'asserted', { ...ROLES, identities: [{ id: 'rita', aliases: ['root'] }] })).toMatchObject({
    author: { identified: true, person: 'rita' },
  });
  expect(by('somebody', 'authenticated')).toMatchObject({ author: { identified: true } });
  expect(by('trigger:nightly', 'system')).toMatchObject({ author: { identified: true } });
});

test('without a policy the status is folded from the items', () => {
  const opened = Desk.of(ROLES).open({ policy: policy([]) });
  const [item] = Desk.of(ROLES).open({ policy: both }).state.items;
  if (item === undefined) throw new Error('a round has tasks');
  const folded = (...statuses: ('pending' | 'approved' | 'rejected' | 'changes-requested')[]) =>
    reading(opened.with({ items: statuses.map((status, index) => ({ ...item, id: `${index}`, status })) }));
  expect(folded('approved', 'pending')).toMatchObject({ quorumEvaluated: false, status: 'pending' });
  expect(folded('approved', 'approved')?.status).toBe('approved');
  expect(folded('changes-requested', 'rejected')?.status).toBe('rejected');
  expect(folded('changes-requested', 'pending')?.status).toBe('changes-requested');
});
