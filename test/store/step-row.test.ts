import { expect, it } from 'vitest';
import type { Usage } from '../../src/domain/job.js';
import { decodeStep, encodeStep, NO_OUTCOME, type StepRecord, thinUsage } from '../../src/store/step-row.js';
import { stepOf } from '../support/store-samples.js';

const USAGE: Usage = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3, reasoningTokens: 4, costUsd: 0.5 };
const kept = (usage: Usage | null): StepRecord => ({
  ...(encodeStep(stepOf('j', 'root', { usage }), NO_OUTCOME) as Omit<StepRecord, 'pruned_at'>),
  pruned_at: null,
});

it.each([
  ['all of it', USAGE, '[1,2,3,4,0.5]'],
  ['an unknown cost', { ...USAGE, costUsd: null }, '[1,2,3,4,null]'],
  ['an estimate', { ...USAGE, estimated: true } as const, '[1,2,3,4,0.5,1]'],
  ['none', null, null],
])('keeps what a step has used in SQLite without the names of its figures: %s', (_, usage, text) => {
  expect(thinUsage(usage)).toBe(text);
  expect(decodeStep({ ...kept(null), usage: text }, null).usage).toEqual(usage);
});

it('keeps it elsewhere with their names, as a kit of before reads it beside this one', () => {
  for (const usage of [USAGE, { ...USAGE, estimated: true } as const]) {
    expect(kept(usage).usage).toBe(JSON.stringify(usage));
    expect(decodeStep(kept(usage), null).usage).toEqual(usage);
  }
  expect(kept(null).usage).toBeNull();
});
