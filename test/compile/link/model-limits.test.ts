import { expect, test } from 'vitest';
import { mergeModel, modelChoice } from '../../../src/compile/link/merge.js';

test.each([
  { own: { max_output_tokens: 20 }, defaults: { max_tokens: 10 }, limit: 20 },
  { own: { max_tokens: 20 }, defaults: { max_output_tokens: 10 }, limit: 20 },
  { own: { max_tokens: 20, max_output_tokens: 30 }, defaults: { max_tokens: 10 }, limit: 30 },
  { own: { name: 'm' }, defaults: { max_tokens: 10 }, limit: 10 },
])('an agent with $own under an archetype with $defaults may write $limit tokens', ({ own, defaults, limit }) => {
  expect(modelChoice(mergeModel(defaults, own)).maxTokens).toBe(limit);
});
