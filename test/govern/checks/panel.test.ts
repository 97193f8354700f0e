import { describe, expect, it } from 'vitest';
import type { Vote } from '../../../src/domain/ports/skill-strategy.js';
import { PARALLEL_CONSENSUS, panelSize, SEQUENTIAL, strategyOf } from '../../../src/govern/checks/panel.js';

const vote = (verdict: 'pass' | 'fail' | 'needs-revision', confidence = 0.5): Vote => ({
  skill: 'judge',
  verdict,
  confidence,
  reasoning: 'because',
});

describe('a panel', () => {
  it.each([
    { votes: [vote('pass'), null, null], valid: 1, needed: 2 },
    { votes: [vote('pass'), vote('fail'), null, null], valid: 2, needed: 3 },
    { votes: [], valid: 0, needed: 1 },
  ])('of $votes.length has $valid votes of $needed that it needs', ({ votes, valid, needed }) => {
    expect(panelSize(votes)).toEqual({ valid, needed });
  });

  it.each([
    {
      what: 'a majority',
      votes: [vote('pass', 0.8), vote('pass', 0.4), vote('fail', 1)],
      verdict: 'pass',
      confidence: 0.6,
    },
    { what: 'a majority of those who voted', votes: [vote('fail', 0.2), null], verdict: 'fail', confidence: 0.2 },
    { what: 'no majority', votes: [vote('pass'), vote('fail')], verdict: 'fail', confidence: 0 },
    { what: 'no vote at all', votes: [null, null], verdict: 'fail', confidence: 0 },
  ])('that votes side by side, with $what, says $verdict', ({ votes, verdict, confidence }) => {
    const reported = PARALLEL_CONSENSUS.decide(votes);

    expect(reported.verdict).toBe(verdict);
    expect(reported.confidence).toBeCloseTo(confidence);
  });

  it.each([
    {
      what: 'all pass',
      votes: [vote('pass', 0.9), vote('pass', 0.3)],
      settled: false,
      verdict: 'pass',
      confidence: 0.3,
    },
    {
      what: 'one objects',
      votes: [vote('pass'), vote('needs-revision', 0.7)],
      settled: true,
      verdict: 'needs-revision',
      confidence: 0.7,
    },
    { what: 'one does not answer', votes: [vote('pass'), null], settled: true, verdict: 'fail', confidence: 0 },
    { what: 'there is nobody', votes: [], settled: false, verdict: 'fail', confidence: 0 },
  ])('that votes one after another, where $what, says $verdict', ({ votes, settled, verdict, confidence }) => {
    expect(SEQUENTIAL.isSettled?.(votes)).toBe(settled);
    expect(SEQUENTIAL.decide(votes)).toMatchObject({ verdict, confidence });
  });

  it('is known by its word, and by no other', () => {
    expect(strategyOf('parallel-consensus')).toBe(PARALLEL_CONSENSUS);
    expect(strategyOf('sequential')).toBe(SEQUENTIAL);
    expect(strategyOf('constructor')).toBeNull();
  });
});
