import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/domain/json.js';
import { statedPriceOf, statedPrices } from '../../../src/domain/stated-price.js';

const usage = (over = {}) => ({
  ...{ inputTokens: 1_000_000, outputTokens: 100_000, cachedInputTokens: 0, reasoningTokens: 0, costUsd: null },
  ...over,
});
const priceOf = (entries: Json, model: string, over = {}) => statedPriceOf(statedPrices(entries), model, usage(over));
const ENTRY = { model: 'my-*', input: 2, output: 10 };

describe('a price that the workspace states', () => {
  it.each([
    { name: 'input and output', entry: ENTRY, over: {}, usd: 3 },
    { name: 'cached tokens as input', entry: ENTRY, over: { cachedInputTokens: 500_000 }, usd: 3 },
    { name: 'cached tokens', entry: { ...ENTRY, cached_input: 0.2 }, over: { cachedInputTokens: 500_000 }, usd: 2.1 },
    { name: 'written tokens as input', entry: ENTRY, over: { cacheWriteTokens: 500_000 }, usd: 3 },
    { name: 'written tokens', entry: { ...ENTRY, cache_write: 2.5 }, over: { cacheWriteTokens: 500_000 }, usd: 3.25 },
    {
      name: 'no more written tokens than were not read',
      entry: { ...ENTRY, cached_input: 0.2, cache_write: 2.5 },
      over: { cachedInputTokens: 600_000, cacheWriteTokens: 900_000 },
      usd: 2.12,
    },
    { name: 'thinking', entry: { ...ENTRY, reasoning: 20 }, over: { reasoningTokens: 50_000 }, usd: 3.5 },
    {
      name: 'more cached tokens than tokens',
      entry: { ...ENTRY, cached_input: 1 },
      over: { cachedInputTokens: 9e6 },
      usd: 2,
    },
    { name: 'a free model', entry: { model: '*', input: 0, output: 0 }, over: {}, usd: 0 },
    {
      name: 'a free model that reports nothing',
      entry: { model: '*', input: 0, output: 0 },
      over: { unreported: true },
      usd: 0,
    },
    { name: 'a model that reports nothing', entry: ENTRY, over: { unreported: true }, usd: null },
  ])('counts $name', ({ entry, over, usd }) => {
    const price = priceOf([entry], 'my-model', over);
    if (usd === null) expect(price).toBeNull();
    else expect(price).toBeCloseTo(usd, 9);
  });

  it('is that of the first entry that fits the name', () => {
    const prices = [{ ...ENTRY, model: 'my-small', input: 1 }, ENTRY, { ...ENTRY, model: '*', input: 50 }];

    expect(priceOf(prices, 'my-small')).toBeCloseTo(2, 9);
    expect(priceOf(prices, 'my-large')).toBeCloseTo(3, 9);
    expect(priceOf(prices, 'theirs')).toBeCloseTo(51, 9);
    expect(priceOf([ENTRY], 'theirs')).toBeNull();
  });

  it.each([
    ['a*c', 'abc', true],
    ['a*c', 'ac', true],
    ['a*bb*c', 'abc', false],
    ['a*b*c', 'a-b-c', true],
    ['ab*ba', 'aba', false],
    ['**', 'x', true],
    ['a', 'ab', false],
    ['*b', 'ab', true],
  ])('takes %s for %s: %s', (model, name, holds) => {
    expect(priceOf([{ ...ENTRY, model }], name) !== null).toBe(holds);
  });
});
