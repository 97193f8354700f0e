import { expect, test } from 'vitest';
import { Desk, policy, registry, rule, task } from './build.js';

test('a task of an earlier round is refused with the id of the task that took its place', () => {
  const both = policy([rule(['qa', 'ops'])]);
  const desk = Desk.of(registry({ qa: ['ann'], ops: ['cid'] })).open({ policy: both });
  const again = desk.open({ policy: both, stepKey: 'root/g1' });
  const newer = again.state.items.find(({ round, role }) => round === 1 && role === 'qa')?.id;

  expect(newer).not.toBe(task(0, 'qa'));
  expect(again.attempt(task(0, 'qa'), 'ann').result).toMatchObject({
    refusal: 'stale',
    hint: `Decide the task of the newest round: ${newer}`,
  });
});
