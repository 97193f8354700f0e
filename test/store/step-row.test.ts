import { expect, it } from 'vitest';
import type { Usage } from '../../src/domain/job.js';
import { decodeStep, encodeStep, NO_OUTCOME, type StepRecord } from '../../src/store/step-row.js';
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
])('keeps what a step has used without the names of its figures: %s', (_, usage, text) => {
  const record = kept(usage);
  expect(record.usage).toBe(text);
  expect(decodeStep(record, null).usage).toEqual(usage);
});

it('reads what a step has used as a row of before has it, with names', () => {
  for (const usage of [USAGE, { ...USAGE, estimated: true } as const])
    expect(decodeStep({ ...kept(null), usage: JSON.stringify(usage) }, null).usage).toEqual(usage);
});
