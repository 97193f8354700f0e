import type { ModelUsage } from '@kit-run/kit/plugin';

/** The price library, loaded when the first provider is created. */
export type Prices = typeof import('@pydantic/genai-prices');

/**
 * USD for a usage, from the price data that is bundled with the price library (no network). The
 * provider is told by the server's URL: the same model name costs something else elsewhere, and a
 * server that is not in the data has no known price.
 */
export function priceOf(
  prices: Prices,
  baseUrl: string,
  nowMs: number,
  model: string,
  usage: ModelUsage,
): number | null {
  if (usage.unreported === true) return null;
  try {
    const result = prices.calcPrice(
      {
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
        // The library refuses more cached tokens than tokens; servers have been seen to report
        // that.
        cache_read_tokens: Math.min(usage.cachedInputTokens, usage.inputTokens),
        cache_write_tokens: Math.min(
          usage.cacheWriteTokens ?? 0,
          Math.max(0, usage.inputTokens - usage.cachedInputTokens),
        ),
      },
      model,
      { providerApiUrl: baseUrl, timestamp: new Date(nowMs) },
    );
    return result !== null && Number.isFinite(result.total_price) ? result.total_price : null;
  } catch {
    // A usage that the library cannot price is a cost that nobody knows.
    return null;
  }
}

/** Tokens of a model's window, from the same data; null = it does not say. */
export function windowOf(prices: Prices, baseUrl: string, nowMs: number, model: string): number | null {
  try {
    const found = prices.calcPrice({}, model, { providerApiUrl: baseUrl, timestamp: new Date(nowMs) });
    return found?.model.context_window ?? null;
  } catch {
    return null;
  }
}
