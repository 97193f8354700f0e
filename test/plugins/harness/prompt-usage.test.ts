import { expect, it } from 'vitest';
import { PromptUsage } from '../../../plugins/harness/src/acp/prompt-usage.js';
import { foldUsage, NO_USAGE, sinceEarlier, totalUsage } from '../../../plugins/harness/src/interpret/usage.js';
import type { JsonObject } from '../../../src/sdk/plugin.js';

const PRICES = { prices: [], model: '' };
/** As Qwen Code 0.15.10 tells of each answer of its model. */
const answer = (inputTokens: number): JsonObject => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text: '' },
  _meta: { usage: { inputTokens, outputTokens: 20, totalTokens: inputTokens + 20 } },
});

/** Input tokens of the events of a session so far. */
function counted(usage: PromptUsage, steps: readonly (JsonObject | 'begin')[]): number | null {
  let fold = NO_USAGE;
  for (const step of steps) {
    if (step === 'begin') usage.begin();
    else
      for (const event of step.stopReason === undefined ? [usage.take(step)] : usage.end(step))
        if (event?.type === 'usage') fold = foldUsage(fold, event);
  }
  return totalUsage(fold, PRICES)?.inputTokens ?? null;
}

it('adds up what is told answer by answer, also of a prompt that is put off', () => {
  expect(counted(new PromptUsage(), ['begin', answer(100), answer(150)])).toBe(250);
  const end = { stopReason: 'end_turn' };
  expect(counted(new PromptUsage(), ['begin', answer(100), end, 'begin', answer(7), end])).toBe(107);
});

it('takes what a prompt says of itself in the place of its answers', () => {
  const end = { stopReason: 'end_turn', usage: { inputTokens: 300, outputTokens: 1, totalTokens: 301 } };
  expect(counted(new PromptUsage(), ['begin', answer(100), answer(150), end, 'begin', answer(5)])).toBe(305);
  expect(counted(new PromptUsage(), ['begin'])).toBeNull();
});

it('a total of a session is less what its earlier processes were counted with', () => {
  const report = { inputTokens: 500, outputTokens: 80, cachedTokens: 40, reasoningTokens: 0, costUsd: null };
  const before = { inputTokens: 200, outputTokens: 30, cachedInputTokens: 50, reasoningTokens: 0, costUsd: null };
  const event = { type: 'usage', key: 'thread', replaces: null, report } as const;

  expect(sinceEarlier({ ...event, isSessionTotal: true }, before).report).toMatchObject({
    inputTokens: 300,
    outputTokens: 50,
    cachedTokens: 0,
  });
  expect(sinceEarlier({ ...event, isSessionTotal: true }, undefined).report).toEqual(report);
  expect(sinceEarlier(event, before).report).toEqual(report);
});
