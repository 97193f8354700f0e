import { describe, expect, test } from 'vitest';
import { gateReading } from '../../../src/govern/approval/gate-reading.js';
import { Desk, GATE, policy, registry, rule, task } from './build.js';

const statusOf = (desk: Desk): string | undefined => desk.state.gates.at(-1)?.status;

describe('an approval that leaves too few others for the floor', () => {
  const roles = registry({ qa: ['ada', 'grace', 'ken'], ops: ['grace', 'linus', 'ken'] });
  const desk = Desk.of(roles, { submittedBy: { identity: 'ken', assurance: 'authenticated' } })
    .open({ policy: policy([rule(['qa', 'ops'])], { minDistinctApprovers: 2 }) })
    .decide(task(0, 'qa'), 'grace');

  test('is asked of nobody where another one may sign', () => {
    expect(gateReading(desk.state, GATE, roles)).toMatchObject({
      open: [{ role: 'ops', people: ['linus'], stuck: null }],
    });
    expect(statusOf(desk.decide(task(0, 'ops'), 'linus'))).toBe('approved');
  });

  test('is taken from whoever gives it all the same, and fills no place', () => {
    const twice = desk.decide(task(0, 'ops'), 'grace');
    expect(statusOf(twice)).toBe('pending');
    expect(gateReading(twice.state, GATE, roles)).toMatchObject({ open: [{ stuck: null }] });
  });

  test('is asked of somebody who alone may complete a task', () => {
    const alone = Desk.of(registry({ qa: ['ann'], ops: ['ann'] })).open({
      policy: policy([rule(['qa', 'ops'])], { minDistinctApprovers: 1 }),
    });
    expect(gateReading(alone.state, GATE, alone.roles)).toMatchObject({
      open: [{ people: ['ann'] }, { people: ['ann'] }],
    });
  });

  test('is not asked of whoever is needed for another task', () => {
    const corner = Desk.of(registry({ qa: ['ann', 'bob'], ops: ['ann'] })).open({
      policy: policy([rule(['qa', 'ops'])], { minDistinctApprovers: 2 }),
    });
    expect(gateReading(corner.state, GATE, corner.roles)).toMatchObject({
      open: [
        { role: 'qa', people: ['bob'] },
        { role: 'ops', people: ['ann'] },
      ],
    });
  });

  test('is not the second one of a person where a third task is left for another', () => {
    const three = registry({ a: ['ann'], b: ['ann', 'bob'], c: ['bob'] });
    const first = Desk.of(three)
      .open({ policy: policy([rule(['a', 'b', 'c'])], { minDistinctApprovers: 2 }) })
      .decide(task(0, 'a'), 'ann');
    expect(gateReading(first.state, GATE, three)).toMatchObject({
      open: [
        { role: 'b', people: ['ann', 'bob'] },
        { role: 'c', people: ['bob'] },
      ],
    });
  });
});
