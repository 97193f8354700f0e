import { expect, it } from 'vitest';
import type { UsageShare } from '../../src/domain/ports/usage.js';
import { usageReport, usageSummary } from '../../src/view/model-usage.js';
import { toWireUsageReport } from '../../src/view/schemas/info.js';

const used = (key: string, costUsd: number | null): UsageShare => ({
  key,
  calls: 2,
  inputTokens: 10,
  outputTokens: 3,
  cachedInputTokens: 4,
  costUsd,
});

it('sums what was used, to a millionth of a dollar', () => {
  expect(toWireUsageReport(usageReport('model', [used('a', 0.1), used('b', 0.2)]))).toMatchObject({
    summary: {
      total_calls: 4,
      total_input_tokens: 20,
      total_output_tokens: 6,
      total_cache_tokens: 8,
      total_cost_usd: 0.3,
    },
  });
  expect(toWireUsageReport(usageReport('model', [used('a', 0.12345678)]))).toMatchObject({
    summary: { total_cost_usd: 0.123457 },
    by_model: [{ model: 'a', cache_tokens: 4, cost_usd: 0.123457 }],
  });
});

it('names each line by what it stands for', () => {
  const wire = toWireUsageReport(usageReport('day', [used('2030-01-02', 1), used('2030-01-03', null)]));

  expect(wire).toMatchObject({
    by_day: [
      { day: '2030-01-02', cost_usd: 1 },
      { day: '2030-01-03', cost_usd: null },
    ],
  });
  expect(Object.keys(wire)).toEqual(['summary', 'by_day']);
});

it('knows no sum of costs as soon as one of them is unknown, and that no call costs nothing', () => {
  expect(usageSummary([used('a', 0.1), used('b', null)]).costUsd).toBeNull();
  expect(usageSummary([])).toEqual({ calls: 0, inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: 0 });
});
