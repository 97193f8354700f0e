import { expect, test } from 'vitest';
import type { ReviewItem } from '../../../src/domain/gates.js';
import { type AnswerRequest, answerItem } from '../../../src/govern/approval/answer-item.js';
import { Desk, policy, registry, rule } from './build.js';

const ROLES = registry({ qa: ['ann'] });

function asked(given: Partial<ReviewItem>): Desk {
  const [task] = Desk.of(ROLES).open({ policy: policy([rule(['qa'])]) }).state.items;
  if (task === undefined) throw new Error('a round has tasks');
  const plain = { id: 'item-1', gateId: null, ruleIndex: null, role: null, scope: null, artifactRef: '' };
  return Desk.of(ROLES, { waitingOn: ['item-1'] }).with({ items: [{ ...task, ...plain, kind: 'input', ...given }] });
}

const settle = (desk: Desk, given: Partial<AnswerRequest>) =>
  answerItem(desk.state, {
    itemId: 'item-1',
    action: 'answer',
    answer: null,
    comment: '',
    identity: 'ann',
    newId: desk.ids,
    ...given,
  });

test('an answered question is approved with its answer, names who gave it, and wakes the run', () => {
  const change = settle(asked({ freeTextAllowed: true }), { answer: 'in blue', comment: 'as always' });
  expect(change.result).toMatchObject({
    kind: 'settled',
    unchanged: false,
    item: { status: 'approved', answer: 'in blue', resolvedBy: 'ann', comment: 'as always' },
  });
  expect(change.events).toMatchObject([
    {
      type: 'hitl.resolved',
      payload: { decision: 'answer', answer: 'in blue', by_user: 'ann', gate_id: null, kind: 'input' },
    },
  ]);
  expect(change.wake).toMatchObject({ type: 'run.resumed', payload: { requested_by: 'ann' } });
});

test('digits choose the option with that number, from 0; the text of an option comes first', () => {
  const options = { options: ['red', '0', 'blue'] };
  const answerOf = (answer: string, given: Partial<ReviewItem> = options) => {
    const { result } = settle(asked(given), { answer });
    return result.kind === 'settled' ? result.item.answer : result.refusal;
  };
  expect(answerOf('2')).toBe('blue');
  expect(answerOf('0')).toBe('0');
  expect(answerOf('blue')).toBe('blue');
  expect(answerOf('3')).toBe('answer_unfit');
  expect(answerOf('green')).toBe('answer_unfit');
  expect(answerOf('3', { ...options, freeTextAllowed: true })).toBe('3');
});

test('a permission is approved or rejected, a question can be declined, any other item takes all three', () => {
  expect(settle(asked({ kind: 'permission' }), { action: 'reject' }).result).toMatchObject({
    item: { status: 'rejected' },
  });
  expect(settle(asked({ kind: 'input' }), { action: 'reject' }).result).toMatchObject({
    item: { status: 'rejected', answer: null },
  });
  for (const action of ['approve', 'reject', 'answer'] as const) {
    expect(settle(asked({ kind: 'other', freeTextAllowed: true }), { action, answer: 'go on' }).result.kind).toBe(
      'settled',
    );
  }
});

test('settling an item the same way again is not an error, in another way is 409, and so is a withdrawn one', () => {
  const desk = asked({ kind: 'permission' });
  const done = desk.apply(settle(desk, { action: 'approve' }));
  expect(settle(done, { action: 'approve' })).toMatchObject({
    result: { kind: 'settled', unchanged: true },
    items: [],
    events: [],
    wake: null,
  });
  expect(settle(done, { action: 'reject' }).result).toMatchObject({ refusal: 'decided', code: 'KIT_ALREADY_DECIDED' });
  expect(settle(asked({ withdrawn: true, freeTextAllowed: true }), { answer: 'x' }).result).toMatchObject({
    refusal: 'withdrawn',
  });
  expect(settle(asked({ freeTextAllowed: true }).withJob({ status: 'stopped' }), { answer: 'x' }).result).toMatchObject(
    { refusal: 'run_stopped' },
  );
});

test('a permission that is left to somebody is answered by that person, under any name of theirs, or by a member of that role, and by nobody else', () => {
  const roles = {
    ...registry({ security: ['sam', 'ann'] }),
    identities: [{ id: 'eve', aliases: ['eve@example.org'] }],
  };
  const item = asked({ kind: 'permission', details: { skill: 'push', approvers: ['security', 'eve'] } });
  for (const action of ['approve', 'reject'] as const) {
    for (const identity of ['sam', 'eve', 'eve@example.org'])
      expect(settle(item, { action, identity, roles }).result.kind).toBe('settled');
    expect(settle(item, { action, identity: 'bob', roles })).toMatchObject({
      result: {
        refusal: 'no_approver',
        code: 'KIT_APPROVAL_DENIED',
        message: '"bob" may not decide item-1: the policy leaves it to "security" or "eve"',
      },
      items: [],
      wake: null,
    });
  }
  expect(settle(item, { action: 'approve', identity: 'security', roles }).result).toMatchObject({
    refusal: 'no_approver',
  });
});
