import { describe, expect, test } from 'vitest';
import { gateReading } from '../../../src/govern/approval/gate-reading.js';
import { Desk, GATE, policy, registry, rule, task } from './build.js';

const statusOf = (desk: Desk): string | undefined => desk.state.gates.at(-1)?.status;

describe('an approval that leaves too few others for the floor', () => {
  const roles = registry({ qa: ['ada', 'grace', 'ken'], ops: ['grace', 'linus', 'ken'] });
  const desk = Desk.of(roles, { submittedBy: { identity: 'ken', assurance: 'authenticated' } })
    .open({ policy: policy([rule(['qa', 'ops'])], { minDistinctApprovers: 2 }) })
    .decide(task(0, 'qa'), 'grace');

  test('is refused before anything is recorded, and whoever else can sign signs', () => {
    const change = desk.attempt(task(0, 'ops'), 'grace');
    expect(change).toMatchObject({
      result: { kind: 'refused', refusal: 'too_few_left', code: 'KIT_APPROVAL_DENIED' },
      items: [],
      decisions: [],
    });
    expect(gateReading(desk.state, GATE, roles)).toMatchObject({
      open: [{ role: 'ops', people: ['linus'], stuck: null }],
    });
    expect(statusOf(desk.apply(change).decide(task(0, 'ops'), 'linus'))).toBe('approved');
  });

  test.each([
    ['reject', 'rejected'],
    ['changes_requested', 'changes-requested'],
  ])('keeps nobody from a decision of the kind %s', (outcome, status) => {
    expect(statusOf(desk.decide(task(0, 'ops'), 'grace', { outcome, comment: 'not so' }))).toBe(status);
  });

  test('is one that somebody makes who alone can complete another task', () => {
    const corner = Desk.of(registry({ qa: ['ann', 'bob'], ops: ['ann'] })).open({
      policy: policy([rule(['qa', 'ops'])], { minDistinctApprovers: 2 }),
    });
    expect(corner.attempt(task(0, 'qa'), 'ann').result).toMatchObject({ refusal: 'too_few_left' });
    expect(statusOf(corner.decide(task(0, 'ops'), 'ann').decide(task(0, 'qa'), 'bob'))).toBe('approved');
  });

  test('is not the second one of a person where a third task is left for another', () => {
    const three = registry({ a: ['ann'], b: ['ann', 'bob'], c: ['bob'] });
    const signed = Desk.of(three)
      .open({ policy: policy([rule(['a', 'b', 'c'])], { minDistinctApprovers: 2 }) })
      .decide(task(0, 'a'), 'ann')
      .decide(task(0, 'b'), 'ann');
    expect(statusOf(signed.decide(task(0, 'c'), 'bob'))).toBe('approved');
  });
});
