import { expect, test } from 'vitest';
import { Desk, policy, registry, rule, task } from './build.js';

const APART = registry({ qa: ['ann'], ops: ['ann2', 'zoe'] });
const ONE = registry({ qa: ['ann'], ops: ['ann2', 'zoe'] }, [{ id: 'a', aliases: ['ann', 'ann2'] }]);
const both = rule(['qa', 'ops']);
const signedApart = (min: number | null) =>
  Desk.of(APART)
    .open({ policy: policy([both], { minDistinctApprovers: min }) })
    .decide(task(0, 'qa'), 'ann')
    .withRoles(ONE);

test('somebody whose names are told to be one between two signatures is not counted as two people', () => {
  const desk = signedApart(2);
  expect(desk.attempt(task(0, 'ops'), 'ann2').result).toMatchObject({ refusal: 'signed_already' });
  expect(desk.decide(task(0, 'ops'), 'zoe').state.gates.at(-1)?.status).toBe('approved');
});

test('where no number of people is asked for, one person may still do both tasks', () => {
  expect(signedApart(null).decide(task(0, 'ops'), 'ann2').state.gates.at(-1)?.status).toBe('approved');
});

test('the same signature once more changes nothing', () => {
  expect(signedApart(2).attempt(task(0, 'qa'), 'ann').result).toMatchObject({ refusal: 'decided' });
});
