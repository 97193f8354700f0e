import { expect, it } from 'vitest';
import type { ModelUsage } from '../../src/domain/ports/serving.js';
import { usageSummary } from '../../src/view/model-usage.js';
import { toWireModelUsage, toWireUsageSummary } from '../../src/view/wire-info.js';

const used = (model: string, costUsd: number | null): ModelUsage => ({
  model,
  calls: 2,
  inputTokens: 10,
  outputTokens: 3,
  cachedInputTokens: 4,
  costUsd,
});

it('sums what models used, to a millionth of a dollar', () => {
  const models = [used('a', 0.1), used('b', 0.2)];

  expect(toWireUsageSummary(usageSummary(models))).toEqual({
    total_calls: 4,
    total_input_tokens: 20,
    total_output_tokens: 6,
    total_cache_tokens: 8,
    total_cost_usd: 0.3,
  });
  expect(toWireModelUsage(used('a', 0.12345678))).toMatchObject({ model: 'a', cache_tokens: 4, cost_usd: 0.123457 });
});

it('knows no sum of costs as soon as one of them is unknown, and that no call costs nothing', () => {
  expect(usageSummary([used('a', 0.1), used('b', null)]).costUsd).toBeNull();
  expect(usageSummary([])).toEqual({ calls: 0, inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: 0 });
});
