import { expect, test } from 'vitest';
import { simulate } from '../../../src/govern/approval/simulate.js';
import { policy, registry, rule } from './build.js';

const ROLES = registry({ qa: ['ann', 'bob', 'eve'], ops: ['cid', 'bob'] });
const EVE = { identity: 'eve', assurance: 'authenticated' } as const;
const approve = (identity: string) => ({ identity, outcome: 'approve' }) as const;

test('a simulation shows each attempt and what the gate is after it', () => {
  const { steps, gate } = simulate(policy([rule(['qa', 'ops'])], { minDistinctApprovers: 2 }), ROLES, EVE, [
    approve('eve'),
    approve('bob'),
    approve('cid'),
  ]);
  expect(
    steps.map((step) => [
      step.identity,
      step.role,
      step.allowed,
      step.reopened?.split('-').at(-1) ?? null,
      step.status,
    ]),
  ).toEqual([
    ['eve', 'qa', false, null, 'pending'],
    ['bob', 'qa', true, null, 'pending'],
    ['bob', 'ops', true, 'ops', 'pending'],
    ['cid', 'ops', true, null, 'approved'],
  ]);
  expect(steps[0]?.reason).toContain('submitted the run');
  expect(gate.distinctApprovers).toEqual(['bob', 'cid']);
});

test('a rejection ends it, and whoever comes after finds no open task', () => {
  const { steps, gate } = simulate(policy([rule(['qa', 'ops'])]), ROLES, EVE, [
    approve('ann'),
    { identity: 'cid', outcome: 'reject' },
    approve('bob'),
  ]);
  expect(steps.map((step) => [step.identity, step.status, step.allowed])).toEqual([
    ['ann', 'pending', true],
    ['cid', 'rejected', true],
    ['bob', 'rejected', false],
  ]);
  expect(gate.status).toBe('rejected');
});

test('somebody who is a member of nothing is refused as they would be', () => {
  expect(simulate(policy([rule(['qa'])]), ROLES, EVE, [approve('mallory')]).steps).toMatchObject([
    { allowed: false, reason: expect.stringContaining('is in no role'), outstanding: ['qa (release:sign)'] },
  ]);
});

test('a simulated gate does not expire', () => {
  const expiring = policy([rule(['qa'])], {
    expiry: { afterMs: 1, remindBeforeMs: null, action: 'reject', escalateTo: [] },
  });
  expect(simulate(expiring, ROLES, EVE, [approve('ann')]).gate).toMatchObject({ status: 'approved', expiresAt: null });
});
