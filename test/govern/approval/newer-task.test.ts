import { expect, test } from 'vitest';
import { Desk, GATE, policy, registry, rule, task } from './build.js';

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

test('a task that was decided is refused with the newer task, or with whom its round still waits for', () => {
  const both = policy([rule(['qa', 'ops'])]);
  const desk = Desk.of(registry({ qa: ['ann', 'bea'], ops: ['cid'] })).open({ policy: both });
  const signed = desk.decide(task(0, 'qa'), 'ann');
  const ops = signed.state.items.find(({ role }) => role === 'ops')?.id;

  expect(signed.attempt(task(0, 'qa'), 'bea').result).toMatchObject({
    refusal: 'decided',
    hint: `The gate still waits for the role "ops" (${ops}). Run \`kit review gate ${GATE}\` to see how it stands.`,
  });

  const again = signed.open({ policy: both, stepKey: 'root/g1' });
  const newer = again.state.items.find(({ round, role }) => round === 1 && role === 'qa')?.id;
  expect(again.attempt(task(0, 'qa'), 'bea').result).toMatchObject({
    refusal: 'decided',
    hint: `Decide the task of the newest round: ${newer}`,
  });
});
