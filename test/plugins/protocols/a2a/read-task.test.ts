import { expect, test } from 'vitest';
import { readTask } from '../../../../plugins/protocols/src/a2a/client/read-task.js';
import type { Json } from '../../../../src/domain/json.js';

const usageIn = (usage?: Json) =>
  readTask('https://peer.test/a2a', {
    id: 't1',
    status: { state: 'completed' },
    metadata: { swarmkit: usage === undefined ? {} : { usage } },
  }).usage;

test('what a peer says that it used is taken, within what there can be', () => {
  expect(usageIn({ input_tokens: 3, output_tokens: 4, cost_usd: 0.5 })).toEqual({
    ...{ inputTokens: 3, outputTokens: 4, costUsd: 0.5 },
  });
  expect(usageIn()).toBeNull();
  expect(usageIn(null)).toBeNull();
  expect(usageIn({ input_tokens: Number.MAX_VALUE, output_tokens: 1e15, cost_usd: 1e308 })).toEqual({
    ...{ inputTokens: 1e12, outputTokens: 1e12, costUsd: null },
  });
});

test.each<Json>([
  'free',
  [],
  {},
  { input_tokens: -1, output_tokens: 0, cost_usd: 0 },
  { input_tokens: '9', output_tokens: 0, cost_usd: 0 },
  { input_tokens: 1, output_tokens: 1, cost_usd: -5 },
])('usage of %j has a cost that nobody knows, and is never free', (usage) => {
  expect(usageIn(usage)?.costUsd).toBeNull();
});
