import { createConnection } from 'node:net';
import { expect, it } from 'vitest';
import { defineSkillStrategy, type SkillStrategy } from '../../src/sdk/plugin.js';
import { type SkillStrategyFixtures, skillStrategyConformance } from '../../src/sdk/testing.js';
import { DEADLINE_MS, runCases } from './run-cases.js';

const fixtures: SkillStrategyFixtures = {
  deadlineMs: DEADLINE_MS,
  verdicts: [
    { votes: ['pass', 'pass'], verdict: 'pass' },
    { votes: ['pass', null], verdict: 'fail' },
  ],
};

/** Passes what everybody passes. */
const good: SkillStrategy = {
  decide: (votes) => {
    const isPassed = votes.length > 0 && votes.every((vote) => vote?.verdict === 'pass');
    return { verdict: isPassed ? 'pass' : 'fail', confidence: isPassed ? 1 : 0, reasoning: '' };
  },
};

const define = (made: SkillStrategy) => defineSkillStrategy({ create: () => ({ ...made }) });
const failedOf = async (made: SkillStrategy) =>
  Object.keys((await runCases(skillStrategyConformance(define(made), fixtures))).failed);

const VERDICTS = 'comes to one of the three verdicts for any votes, at once';
const NOBODY = 'passes nothing that nobody voted for';
const SAME = 'says the same of the same votes';
const ALONE = 'decides without a request or a process';
const SETTLES = 'ends asking by the votes alone';
const ITS_OWN = 'comes to the verdicts of its fixtures';

it('a strategy that keeps to the contract passes, and is told what was not exercised', async () => {
  const { failed, notExercised } = await runCases(skillStrategyConformance(define(good), fixtures));

  expect(failed).toEqual({});
  expect(notExercised).toContain(SETTLES);
  expect((await runCases(skillStrategyConformance(define(good)))).notExercised).toContain(ITS_OWN);
});

it('one that asks one after another passes', async () => {
  expect(await failedOf({ ...good, isSettled: (votes) => votes.includes(null) })).toEqual([]);
});

let count = 0;

it.each<[string, SkillStrategy, readonly string[]]>([
  [
    'says another word',
    { decide: () => ({ verdict: 'maybe' as never, confidence: 1, reasoning: '' }) },
    [VERDICTS, ITS_OWN],
  ],
  ['answers with a promise', { decide: (async () => good.decide([])) as never }, [VERDICTS, ITS_OWN]],
  ['is surer than sure', { decide: (votes) => ({ ...good.decide(votes), confidence: 2 }) }, [VERDICTS]],
  ['gives no reasoning', { decide: (votes) => ({ ...good.decide(votes), reasoning: undefined as never }) }, [VERDICTS]],
  [
    'throws where nobody voted',
    { decide: (votes) => good.decide(votes.length === 0 ? (undefined as never) : votes) },
    [VERDICTS, NOBODY],
  ],
  ['changes the votes', { decide: (votes) => good.decide((votes as unknown[]).reverse() as never) }, [VERDICTS]],
  ['passes whatever comes', { decide: () => ({ verdict: 'pass', confidence: 1, reasoning: '' }) }, [NOBODY, ITS_OWN]],
  ['counts its calls', { decide: (votes) => ({ ...good.decide(votes), reasoning: `call ${count++}` }) }, [SAME]],
  [
    'asks somebody',
    {
      decide: (votes) => {
        createConnection({ host: '127.0.0.1', port: 1 }).on('error', () => undefined);
        return good.decide(votes);
      },
    },
    [ALONE],
  ],
  ['settles by its calls', { ...good, isSettled: () => count++ % 2 === 0 }, [SETTLES]],
  ['is settled by no boolean', { ...good, isSettled: () => undefined as never }, [SETTLES]],
])('one that %s is caught', async (_what, made, caught) => {
  expect(await failedOf(made)).toEqual(expect.arrayContaining([...caught]));
});
