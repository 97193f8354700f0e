import { expect, test } from 'vitest';
import { ERROR_REGISTRY } from '../../../src/domain/error-registry.js';
import type { ReviewItem } from '../../../src/domain/gates.js';
import { answerItem } from '../../../src/govern/approval/answer-item.js';
import { REFUSALS, type RefusalKind } from '../../../src/govern/approval/refusals.js';
import type { ResolveRequest } from '../../../src/govern/approval/resolve-item.js';
import { at, Desk, GATE, JOB, policy, registry, rule, task } from './build.js';
import { ELSEWHERE } from './elsewhere.js';

const ROLES = registry({ qa: ['ann', 'bob', 'eve'], ops: ['cid', 'bob'] }, [
  { id: 'eve', aliases: ['eve@example.org'] },
]);
const QA = task(0, 'qa');
const OPS = task(0, 'ops');
const both = policy([rule(['qa', 'ops'])]);
const expiring = policy([rule(['qa', 'ops'])], {
  expiry: { afterMs: 3_600_000, remindBeforeMs: null, action: 'reject', escalateTo: [] },
});
const open = (given = both): Desk => Desk.of(ROLES).open({ policy: given });
const withoutScope = { ...ROLES, roles: ROLES.roles.map((role) => ({ ...role, scopes: ['other:scope'] })) };
const question: ReviewItem = {
  ...(open().state.items[0] as ReviewItem),
  id: 'question-1',
  kind: 'input',
  gateId: null,
  ruleIndex: null,
  role: null,
  scope: null,
};

type Here = Exclude<RefusalKind, (typeof ELSEWHERE)[number]>;

interface Row {
  readonly desk: Desk;
  readonly itemId: string;
  readonly identity: string;
  readonly given?: Partial<ResolveRequest>;
  readonly http: number;
  readonly message: string;
}

/** One situation for each refusal of a role task; all else about it is in order. */
const ROWS: Readonly<Record<Here, Row>> = {
  item_unknown: {
    desk: open(),
    itemId: 'mpa-x',
    identity: 'ann',
    http: 404,
    message: 'there is no review item mpa-x',
  },
  outcome_unknown: {
    desk: open(),
    itemId: QA,
    identity: 'ann',
    given: { outcome: 'perhaps' },
    http: 422,
    message: `${QA} cannot be decided so: "perhaps" is not an outcome`,
  },
  comment_missing: {
    desk: open(),
    itemId: QA,
    identity: 'ann',
    given: { outcome: 'changes-requested', comment: ' ' },
    http: 422,
    message: `${QA} cannot be decided so: changes are requested without a comment`,
  },
  no_role: {
    desk: open(),
    itemId: QA,
    identity: 'mallory',
    http: 403,
    message: `"mallory" may not decide ${QA}: "mallory" is in no role of the role registry`,
  },
  no_role_task: {
    desk: open().with({ items: [question] }),
    itemId: 'question-1',
    identity: 'ann',
    http: 403,
    message: '"ann" may not decide question-1: the item is not a role task',
  },
  role_unknown: {
    desk: open().withRoles({ ...ROLES, roles: ROLES.roles.filter((role) => role.id !== 'qa') }),
    itemId: QA,
    identity: 'bob',
    http: 403,
    message: `"bob" may not decide ${QA}: no role registry defines the role "qa"`,
  },
  scope_not_conferred: {
    desk: open().withRoles(withoutScope),
    itemId: QA,
    identity: 'ann',
    http: 403,
    message: `"ann" may not decide ${QA}: the role "qa" does not confer the scope "release:sign"`,
  },
  not_a_member: {
    desk: open(),
    itemId: QA,
    identity: 'cid',
    http: 403,
    message: `"cid" may not decide ${QA}: "cid" is not a member of the role "qa"`,
  },
  is_author: {
    desk: open(),
    itemId: QA,
    identity: 'eve@example.org',
    http: 403,
    message: `"eve@example.org" may not decide ${QA}: "eve@example.org" submitted the run, and the policy excludes its author`,
  },
  author_unidentified: {
    desk: open().withJob({ submittedBy: { identity: 'anonymous', assurance: 'asserted' } }),
    itemId: QA,
    identity: 'ann',
    given: { assurance: 'asserted' },
    http: 403,
    message: `"ann" may not decide ${QA}: the author of the run is not identified, so only an authenticated identity counts`,
  },
  signed_already: {
    desk: open(policy([rule(['qa', 'ops'])], { minDistinctApprovers: 2 }))
      .decide(QA, 'bob')
      .decide(OPS, 'bob'),
    itemId: OPS,
    identity: 'bob',
    http: 403,
    message: `"bob" may not decide ${OPS}: "bob" has signed this round already, and the task asks for another person`,
  },
  gate_expired: {
    desk: open(expiring).with({ now: at(60) }),
    itemId: QA,
    identity: 'ann',
    http: 409,
    message: `${QA} cannot be decided so: the gate was not decided in time: it expired at ${at(60)}`,
  },
  decided: {
    desk: open().decide(QA, 'bob'),
    itemId: QA,
    identity: 'ann',
    http: 409,
    message: `${QA} cannot be decided so: it is approved already, by bob`,
  },
  stale: {
    desk: open().open({ policy: both, stepKey: 'root/g1' }),
    itemId: QA,
    identity: 'ann',
    http: 409,
    message: `${QA} cannot be decided so: it belongs to an earlier round`,
  },
  withdrawn: {
    desk: open().with({ gates: open().state.gates.map((gate) => ({ ...gate, withdrawn: true })) }),
    itemId: QA,
    identity: 'ann',
    http: 409,
    message: `${QA} cannot be decided so: it was withdrawn`,
  },
  run_stopped: {
    desk: open().withJob({ status: 'stopped' }),
    itemId: QA,
    identity: 'ann',
    http: 409,
    message: `${QA} cannot be decided so: run ${JOB} is stopped`,
  },
  run_over: {
    desk: open().withJob({ status: 'failed' }),
    itemId: QA,
    identity: 'ann',
    http: 409,
    message: `${QA} cannot be decided so: run ${JOB} has ended: it is failed`,
  },
};

test.each(Object.entries(ROWS))(
  '%s refuses with its status and its sentence, leaves one record of the attempt and changes nothing',
  (kind, row) => {
    const change = row.desk.attempt(row.itemId, row.identity, row.given);
    expect(change.result).toMatchObject({ kind: 'refused', refusal: kind, message: row.message });
    if (change.result.kind !== 'refused') return;
    expect(ERROR_REGISTRY[change.result.code].http).toBe(row.http);
    expect(change).toMatchObject({ gates: [], items: [], decisions: [], wake: null });
    if (kind === 'item_unknown') return expect(change.events).toEqual([]);
    expect(change.events).toHaveLength(1);
    expect(change.events[0]).toMatchObject({
      type: 'approval.role_task_resolved',
      payload: {
        item_id: row.itemId,
        identity: row.identity,
        allowed: false,
        policy_decision: 'deny',
        code: change.result.code,
        decision_id: null,
      },
    });
  },
);

test('after a refused attempt somebody else can still decide the task', () => {
  for (const kind of ['no_role', 'not_a_member', 'is_author', 'comment_missing'] as const) {
    const { desk, itemId, identity, given } = ROWS[kind];
    expect(desk.apply(desk.attempt(itemId, identity, given)).attempt(itemId, 'ann').result.kind).toBe('recorded');
  }
});

test('an attempt with two faults is refused for the one that is checked first', () => {
  const stopped = ROWS.gate_expired.desk.withJob({ status: 'stopped' });
  const order: readonly (readonly [Desk, string, Partial<ResolveRequest>, RefusalKind])[] = [
    [stopped, 'mallory', { outcome: 'perhaps' }, 'outcome_unknown'],
    [stopped, 'mallory', {}, 'no_role'],
    [stopped.withRoles(withoutScope), 'cid', {}, 'scope_not_conferred'],
    [stopped, 'cid', {}, 'not_a_member'],
    [stopped, 'eve', {}, 'is_author'],
    [stopped, 'ann', {}, 'gate_expired'],
    [ROWS.decided.desk.withJob({ status: 'stopped' }), 'ann', {}, 'decided'],
    [ROWS.stale.desk.withJob({ status: 'stopped' }), 'ann', {}, 'stale'],
    [ROWS.withdrawn.desk.withJob({ status: 'stopped' }), 'ann', {}, 'withdrawn'],
  ];
  for (const [desk, identity, given, kind] of order)
    expect(desk.attempt(QA, identity, given).result).toMatchObject({ refusal: kind });
});

test('the same person deciding the same again is not an error and changes nothing; another outcome or person is', () => {
  const desk = open().decide(QA, 'bob');
  const again = desk.attempt(QA, 'bob');
  expect(again).toMatchObject({
    result: { kind: 'recorded', unchanged: true, decision: { person: 'bob' } },
    items: [],
    decisions: [],
    wake: null,
  });
  expect(again.events).toMatchObject([{ payload: { allowed: true, decision_id: null } }]);
  expect(desk.attempt(QA, 'bob', { outcome: 'reject' }).result).toMatchObject({ refusal: 'decided' });
  expect(desk.with({ now: at(90) }).attempt(QA, 'bob').result.kind).toBe('recorded');
});

test('who submitted does not matter where the policy does not exclude the author', () => {
  const desk = open(policy([rule(['qa', 'ops'])], { excludeAuthor: false }));
  expect(desk.attempt(QA, 'eve').result.kind).toBe('recorded');
  expect(
    desk
      .withJob({ submittedBy: { identity: 'anonymous', assurance: 'asserted' } })
      .attempt(QA, 'ann', { assurance: 'asserted' }).result.kind,
  ).toBe('recorded');
});

test('an unidentified author leaves the gate to authenticated people, and at an open server to everybody but the author', () => {
  const desk = open().withJob({ submittedBy: { identity: 'root', assurance: 'asserted' } });
  expect(desk.attempt(QA, 'ann', { assurance: 'asserted' }).result).toMatchObject({ refusal: 'author_unidentified' });
  expect(desk.attempt(QA, 'ann', { assurance: 'asserted', isUnauthenticated: true }).result.kind).toBe('recorded');
  expect(desk.attempt(QA, 'ann').result.kind).toBe('recorded');
  const nobody = Desk.of(registry({ qa: ['anonymous', 'ann'] }), {
    submittedBy: { identity: 'anonymous', assurance: 'asserted' },
  }).open({
    policy: policy([rule(['qa'])]),
  });
  expect(nobody.attempt(QA, 'anonymous', { assurance: 'asserted', isUnauthenticated: true }).result).toMatchObject({
    refusal: 'is_author',
  });
});

test('the generic actions refuse a role task and what does not fit their item', () => {
  const of = (item: ReviewItem, action: 'approve' | 'reject' | 'answer', answer: string | null = null) => {
    const desk = open().with({ items: [item] });
    return answerItem(desk.state, { itemId: item.id, action, answer, comment: '', identity: 'ann', newId: desk.ids })
      .result;
  };
  const roleTask = open().state.items[0] as ReviewItem;
  expect(of(roleTask, 'approve')).toMatchObject({
    refusal: 'role_task',
    code: 'KIT_ROLE_TASK',
    hint: `Decide it with \`kit review resolve ${QA} --as <identity>\`.`,
  });
  expect(of(question, 'approve')).toMatchObject({ refusal: 'action_unfit' });
  expect(of({ ...question, kind: 'permission' }, 'answer', 'yes')).toMatchObject({ refusal: 'action_unfit' });
  expect(of({ ...question, options: ['blue', 'red'] }, 'answer', '2')).toMatchObject({
    refusal: 'answer_unfit',
    hint: 'Answer with the text or the number of an option: 0 blue, 1 red. Your own words go into --comment.',
  });
  expect(of({ ...question, options: [], freeTextAllowed: false }, 'answer', 'go on')).toMatchObject({
    hint: 'Approve or reject it; your words go into --comment.',
  });
  expect(of({ ...question, freeTextAllowed: true }, 'answer', ' ')).toMatchObject({
    refusal: 'answer_unfit',
    reason: '`answer` is empty',
  });
  const kinds = Object.keys(REFUSALS).filter((kind) => !(ELSEWHERE as readonly string[]).includes(kind));
  expect(Object.keys(ROWS).sort()).toEqual(kinds.sort());
});

test('a long identity is cut in the sentence that people read', () => {
  const { result } = open().attempt(QA, 'x'.repeat(5_000));
  expect(result.kind === 'refused' && result.message.length).toBeLessThan(600);
  expect(GATE).toBe(`${JOB}:writer`);
});
