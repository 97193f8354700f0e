import { describe, expect, test } from 'vitest';
import { familyProvider } from '../helpers.js';
import { bundledConfig, contributionOf, FAMILIES } from './family-cases.js';

describe('prices', () => {
  const usage = {
    inputTokens: 1_000_000,
    outputTokens: 100_000,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    costUsd: null,
  };
  const URLS: Readonly<Record<string, string>> = {
    openai: 'https://api.openai.com/v1',
    anthropic: 'https://api.anthropic.com/v1',
    google: 'https://generativelanguage.googleapis.com/v1beta',
    groq: 'https://api.groq.com/openai/v1',
    together: 'https://api.together.xyz/v1',
    openrouter: 'https://openrouter.ai/api/v1',
  };

  test.each(FAMILIES.filter(({ id }) => id in URLS))(
    'of $model at $id are known, and cached tokens are never dearer',
    async ({ id, model }) => {
      const provider = await familyProvider(contributionOf(id), bundledConfig(id, URLS[id] ?? ''));
      const full = provider.price(model, usage) ?? 0;

      expect(full).toBeGreaterThan(0);
      expect(provider.price(model, { ...usage, cachedInputTokens: 900_000 })).toBeLessThanOrEqual(full);
    },
  );

  test.each([
    ['openai', 'gpt-5-mini', 400_000],
    ['anthropic', 'claude-sonnet-4-5', 200_000],
    ['anthropic', 'nobody-knows-this', null],
  ])('of %s know the window of %s: %s', async (id, model, window) => {
    const config = bundledConfig(id, URLS[id] ?? '');
    expect((await familyProvider(contributionOf(id), config)).contextWindow?.(model)).toBe(window);
    const stated = await familyProvider(contributionOf(id), { ...config, context_window: 32_000 });
    expect(stated.contextWindow?.(model)).toBe(32_000);
  });
});
