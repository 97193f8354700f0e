import { describe, expect, it } from 'vitest';
import { parseAdapter } from '../../../plugins/harness/src/adapter/parse.js';
import { INITIAL } from '../../../plugins/harness/src/interpret/fold.js';
import { foldUsage, NO_USAGE, totalUsage } from '../../../plugins/harness/src/interpret/usage.js';
import { spentBudget } from '../../../plugins/harness/src/run/guard.js';
import type { JsonObject } from '../../../src/sdk/plugin.js';

const pricesOf = (prices: readonly JsonObject[]) => {
  const parsed = parseAdapter({
    launch: { command: ['tool'] },
    event_map: [{ when: { type: 'u' }, emit: [{ event: 'usage', with: { input_tokens: '$.n' } }] }],
    prices: [...prices],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.spec.prices;
};
const NOTHING = { inputTokens: null, outputTokens: null, cachedTokens: null, reasoningTokens: null, costUsd: null };
const reported = (report: Partial<Record<keyof typeof NOTHING, number>>) =>
  foldUsage(NO_USAGE, { type: 'usage', key: null, replaces: null, report: { ...NOTHING, ...report } });
const MILLION = { inputTokens: 1_000_000, outputTokens: 1_000_000 };
const costOf = (prices: readonly JsonObject[], report: Parameters<typeof reported>[0], model = 'large-1') =>
  totalUsage(reported(report), { prices: pricesOf(prices), model })?.costUsd;

describe('the prices of an adapter', () => {
  it.each([
    ['count where the harness tells no cost', [{ model: '*', input: 3, output: 15 }], MILLION, 18],
    ['count before the cost that it tells', [{ model: '*', input: 0, output: 0 }], { ...MILLION, costUsd: 9 }, 0],
    [
      'of the first entry that fits the model count',
      [
        { model: 'small-*', input: 1, output: 1 },
        { model: 'large-*', input: 2, output: 2 },
      ],
      MILLION,
      4,
    ],
    ['leave what is told where none fits', [{ model: 'small-*', input: 1, output: 1 }], { ...MILLION, costUsd: 9 }, 9],
    ['leave an unknown cost unknown where none fits', [{ model: 'small-*', input: 1, output: 1 }], MILLION, null],
    ['leave a cost that is told without tokens', [{ model: '*', input: 1, output: 1 }], { costUsd: 9 }, 9],
    ['make a cost that is told without tokens free', [{ model: '*', input: 0, output: 0 }], { costUsd: 9 }, 0],
    [
      'of cached and thought tokens are their own',
      [{ model: '*', input: 4, output: 8, cached_input: 1, reasoning: 2 }],
      { ...MILLION, cachedTokens: 500_000, reasoningTokens: 500_000 },
      7.5,
    ],
  ])('%s', (_what, prices, report, expected) => {
    expect(costOf(prices, report)).toBe(expected);
  });

  it('leave a session that tells nothing unknown', () => {
    expect(totalUsage(NO_USAGE, { prices: pricesOf([{ model: '*', input: 0, output: 0 }]), model: '' })).toBeNull();
  });

  it('hold the budget of a session', () => {
    const state = { ...INITIAL, usage: reported(MILLION) };
    const budget = { maxCostUsd: 10, maxTurns: null, maxWallClockMs: null, maxIdleMs: 1 };
    const spent = (input: number) =>
      spentBudget(state, budget, { prices: pricesOf([{ model: '*', input, output: 0 }]), model: '' });

    expect(spent(9)).toBeNull();
    expect(spent(11)).toBe('max_cost');
  });
});
