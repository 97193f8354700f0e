import { describe, expect, it } from 'vitest';
import { defineEvalCheck, type EvalCheck } from '../../src/sdk/plugin.js';
import { evalCheckConformance } from '../../src/sdk/testing.js';
import { DEADLINE_MS, runCases } from './run-cases.js';

const FIXTURES = {
  holds: { expected: 2, output: 'Two words.' },
  fails: { expected: 1, output: 'Two words.' },
  deadlineMs: DEADLINE_MS,
};

const good: EvalCheck = {
  check: (expected, { output }) => {
    if (typeof expected !== 'number') return 'it takes a number';
    return String(output).split(' ').length <= expected ? null : 'there are too many words';
  },
};
const define = (check: EvalCheck['check']) => defineEvalCheck({ create: () => ({ check }) });

const MUTANTS: readonly { readonly name: string; readonly check: EvalCheck['check']; readonly caught: string }[] = [
  { name: 'refuses everything', check: () => 'no', caught: 'accepts what meets an expectation, each time' },
  { name: 'accepts everything', check: () => null, caught: 'says in one sentence what does not' },
  {
    name: 'says nothing when it refuses',
    check: (expected, subject) => (good.check(expected, subject) === null ? null : ''),
    caught: 'says in one sentence what does not',
  },
  {
    name: 'accepts what it does not understand',
    check: (expected, subject) => (typeof expected === 'number' ? good.check(expected, subject) : null),
    caught: 'meets no expectation that it does not understand',
  },
  {
    name: 'never ends',
    check: () => new Promise(() => undefined),
    caught: 'accepts what meets an expectation, each time',
  },
];

describe('the contract of evalChecks', () => {
  it('holds for a good check', async () => {
    expect(await runCases(evalCheckConformance(defineEvalCheck({ create: () => ({ ...good }) }), FIXTURES))).toEqual({
      failed: {},
      notExercised: ['can be disposed twice'],
    });
  });

  it.each(MUTANTS)('catches one that $name', async ({ check, caught }) => {
    const { failed } = await runCases(evalCheckConformance(define(check), FIXTURES));

    expect(Object.keys(failed)).toContain(caught);
  });
});
