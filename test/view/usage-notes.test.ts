import { expect, test } from 'vitest';
import { usageText } from '../../src/text/lines/words.js';
import { toWireUsage } from '../../src/view/schemas/run.js';
import { addUsage, NO_USAGE } from '../../src/view/usage-view.js';

const CALL = { inputTokens: 1000, outputTokens: 10, cachedInputTokens: 800, reasoningTokens: 0, costUsd: 0.01 };

test('what a cache saved is added up over calls, and said beside the cost and to machines', () => {
  const usage = addUsage(addUsage(NO_USAGE, { ...CALL, savedUsd: -0.01 }), { ...CALL, savedUsd: 0.13 });

  expect(usageText(usage)).toMatch(/ · \$0\.020, cache saved \$0\.120$/);
  expect(toWireUsage(usage).saved_usd).toBeCloseTo(0.12, 9);
});

test.each([
  ['nothing was told', undefined],
  ['writing a cache cost more than reading it saved', -0.01],
])('nothing is said of it where %s', (_, savedUsd) => {
  expect(usageText(addUsage(NO_USAGE, { ...CALL, savedUsd }))).not.toContain('cache');
});

test('an estimate is said after it', () => {
  const usage = addUsage(NO_USAGE, { ...CALL, savedUsd: 0.5, estimated: true });

  expect(usageText(usage)).toMatch(/, cache saved \$0\.500, in part estimated$/);
});
