import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isKitError } from '../../src/domain/errors.js';
import type { Usage } from '../../src/domain/job.js';
import type { Limits } from '../../src/domain/limits.js';
import { breachOf, budgetLeft, stricterLimits } from '../../src/govern/limits.js';
import { type CountedRow, SpentSoFar } from '../../src/govern/spent.js';
import { assertLimits, assertPriced } from '../../src/govern/start-checks.js';

const NONE: Limits = { maxStepsPerAgent: null, maxStepsPerRun: 500, maxCostPerRunUsd: null };
const usage = (costUsd: number | null): Usage => ({
  inputTokens: 1,
  outputTokens: 1,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  costUsd,
});
const row = (agentId: string | null, units: number, costUsd?: number | null) => ({
  agentId,
  units,
  usage: costUsd === undefined ? null : usage(costUsd),
});

const spent = (rows: Iterable<CountedRow>) => new SpentSoFar(rows);

const codeOf = (action: () => void): string => {
  try {
    action();
  } catch (error) {
    if (isKitError(error)) return error.code;
    throw error;
  }
  return 'passed';
};

describe('breachOf', () => {
  it('lets exactly as many steps through as the limit says, however they are spread over agents', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }), (max, agents) => {
        const rows: ReturnType<typeof row>[] = [];
        for (const agentId of agents)
          if (breachOf({ ...NONE, maxStepsPerRun: max }, { agentId, units: 1, spent: spent(rows) }) === null)
            rows.push(row(agentId, 1));
        expect(rows.length).toBe(Math.min(max, agents.length));
      }),
    );
  });

  it('counts each agent on its own', () => {
    const limits = { ...NONE, maxStepsPerAgent: 2 };
    const rows = [row('a', 1), row('a', 1), row('b', 1), row(null, 0)];
    expect(breachOf(limits, { agentId: 'a', units: 1, spent: spent(rows) })).toEqual({
      limit: 'max_steps_per_agent',
      limitValue: 2,
      actual: 3,
    });
    expect(breachOf(limits, { agentId: 'b', units: 1, spent: spent(rows) })).toBeNull();
    expect(breachOf(limits, { agentId: null, units: 1, spent: spent(rows) })).toBeNull();
  });

  it('counts a step from its start: a row without a result holds its unit', () => {
    expect(
      breachOf({ ...NONE, maxStepsPerRun: 1 }, { agentId: 'a', units: 1, spent: spent([row('b', 1)]) }),
    ).toMatchObject({
      limit: 'max_steps_per_run',
      actual: 2,
    });
  });

  it('ends a run before a step when all is spent, and after one when more is spent', () => {
    const limits = { ...NONE, maxCostPerRunUsd: 1 };
    expect(breachOf(limits, { agentId: 'a', units: 1, spent: spent([row('a', 1, 0.5)]) })).toBeNull();
    expect(breachOf(limits, { agentId: 'a', units: 1, spent: spent([row('a', 1, 1)]) })).toEqual({
      limit: 'max_cost_per_run_usd',
      limitValue: 1,
      actual: 1,
    });
    expect(breachOf(limits, { agentId: 'a', units: 0, spent: spent([row('a', 1, 1)]) })).toBeNull();
    expect(breachOf(limits, { agentId: 'a', units: 0, spent: spent([row('a', 1, 1.01)]) })).toMatchObject({
      actual: 1.01,
    });
  });

  it.each([
    { name: 'a batch of model calls side by side', rows: [row('a', 1, 0.4), row('b', 1, 0.4), row('c', 1, 0.4)] },
    { name: 'one session of a harness', rows: [row('a', 1, 1.2)] },
    { name: 'a tool that reports what it cost', rows: [row('a', 1, 0.4), row('a', 0, 0.8)] },
    {
      name: 'a judge, a planner and nobody in particular',
      rows: [row('a', 1, 0.4), row('planner', 1, 0.4), row(null, 0, 0.4)],
    },
  ])('adds up what $name cost, whoever made it', ({ rows }) => {
    const limits = { ...NONE, maxCostPerRunUsd: 1 };
    expect(breachOf(limits, { agentId: 'z', units: 1, spent: spent(rows) })).toMatchObject({
      limit: 'max_cost_per_run_usd',
      actual: expect.closeTo(1.2, 9),
    });
    expect(breachOf({ ...NONE, maxCostPerRunUsd: 1.3 }, { agentId: 'z', units: 1, spent: spent(rows) })).toBeNull();
  });

  it('never takes an unknown or impossible cost for a small one', () => {
    const limits = { ...NONE, maxCostPerRunUsd: 1 };
    for (const bad of [null, Number.NaN, -5, Number.POSITIVE_INFINITY]) {
      expect(breachOf(limits, { agentId: 'a', units: 1, spent: spent([row('a', 1, 0.1), row('a', 1, bad)]) })).toEqual({
        limit: 'max_cost_per_run_usd',
        limitValue: 1,
        actual: null,
      });
    }
    expect(breachOf(NONE, { agentId: 'a', units: 1, spent: spent([row('a', 1, null)]) })).toBeNull();
  });

  it('breaks at once under a limit that is not a number', () => {
    for (const bad of [Number.NaN, -1, Number.POSITIVE_INFINITY]) {
      expect(breachOf({ ...NONE, maxStepsPerRun: bad }, { agentId: 'a', units: 1, spent: spent([]) })?.limit).toBe(
        'max_steps_per_run',
      );
      expect(breachOf({ ...NONE, maxCostPerRunUsd: bad }, { agentId: 'a', units: 1, spent: spent([]) })?.limit).toBe(
        'max_cost_per_run_usd',
      );
    }
  });
});

describe('assertLimits', () => {
  it('refuses NaN, infinity and negatives, and fractions of a step', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
      expect(codeOf(() => assertLimits({ ...NONE, maxStepsPerAgent: bad }))).toBe('KIT_LIMIT_INVALID');
      expect(codeOf(() => assertLimits({ ...NONE, maxStepsPerRun: bad }))).toBe('KIT_LIMIT_INVALID');
      expect(codeOf(() => assertLimits({ ...NONE, maxCostPerRunUsd: bad }))).toBe('KIT_LIMIT_INVALID');
    }
    expect(codeOf(() => assertLimits({ ...NONE, maxStepsPerRun: 1.5 }))).toBe('KIT_LIMIT_INVALID');
    expect(codeOf(() => assertLimits({ maxStepsPerAgent: 0, maxStepsPerRun: 1, maxCostPerRunUsd: 0.25 }))).toBe(
      'passed',
    );
  });
});

describe('assertPriced', () => {
  const uses = [
    { user: 'writer', provider: 'acme', model: 'm1', priced: true },
    { user: 'critic', provider: 'acme', model: 'm2', priced: false },
  ];

  it('refuses a cost limit over a model whose price is unknown, and names it', () => {
    expect(() => assertPriced({ ...NONE, maxCostPerRunUsd: 1 }, uses)).toThrow(/acme\/m2 \(critic\)/);
    expect(codeOf(() => assertPriced({ ...NONE, maxCostPerRunUsd: 1 }, uses))).toBe('KIT_PRICE_UNKNOWN');
  });

  it('asks for no price where there is no cost limit', () => {
    expect(codeOf(() => assertPriced(NONE, uses))).toBe('passed');
    expect(codeOf(() => assertPriced({ ...NONE, maxCostPerRunUsd: 1 }, uses.slice(0, 1)))).toBe('passed');
  });
});

describe('stricterLimits', () => {
  it('takes the smaller bound of each, and none only where neither has one', () => {
    expect(stricterLimits(NONE, { maxStepsPerAgent: 3, maxStepsPerRun: 600, maxCostPerRunUsd: null })).toEqual({
      maxStepsPerAgent: 3,
      maxStepsPerRun: 500,
      maxCostPerRunUsd: null,
      maxTokensPerRun: null,
      maxRemoteCalls: null,
    });
    expect(stricterLimits({ ...NONE, maxTokensPerRun: 9 }, NONE).maxTokensPerRun).toBe(9);
  });
});

describe('a limit on tokens', () => {
  const LIMITS = { ...NONE, maxTokensPerRun: 4 };
  const rows = (count: number) => Array.from({ length: count }, () => row('a', 1, null));
  const breach = (count: number, units: number) => breachOf(LIMITS, { agentId: 'a', units, spent: spent(rows(count)) });

  it('lets the run use so many, and no call begin after them', () => {
    expect([breach(1, 1), breach(2, 0)]).toEqual([null, null]);
    expect(breach(2, 1)).toEqual({ limit: 'max_tokens_per_run', limitValue: 4, actual: 4 });
    expect(breach(3, 0)).toEqual({ limit: 'max_tokens_per_run', limitValue: 4, actual: 6 });
  });

  it('is not a limit for a run that was frozen before there was one', () => {
    expect(breachOf(NONE, { agentId: 'a', units: 1, spent: spent(rows(100)) })).toBeNull();
  });

  it('must be a whole number', () => {
    expect(codeOf(() => assertLimits({ ...NONE, maxTokensPerRun: 1.5 }))).toBe('KIT_LIMIT_INVALID');
  });

  it('leaves to a run that is asked for what the caller has left', () => {
    expect(budgetLeft(LIMITS, spent(rows(1)))).toEqual({ usd: null, tokens: 2 });
    expect(budgetLeft(LIMITS, spent(rows(9)))).toEqual({ usd: null, tokens: 0 });
    expect(budgetLeft({ ...NONE, maxCostPerRunUsd: 1 }, spent(rows(1)))).toEqual({ usd: 0, tokens: null });
  });
});
