import { isObject } from '../lib/json.js';
import type { Json } from './json.js';
import type { ModelUsage } from './ports/model.js';

/** What the workspace says that a model costs: USD per million tokens, 0 is free. */
export interface StatedPrice {
  /** Model name; `*` stands for any characters. */
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

const TOKENS = 1_000_000;

/** The entries of `prices`, which a schema has checked (`ModelPrice`). */
export function statedPrices(value: Json | undefined): readonly StatedPrice[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).map((entry) => {
    const usdAt = (key: string, fallback: number): number => {
      const usd = Object.hasOwn(entry, key) ? entry[key] : undefined;
      return typeof usd === 'number' ? usd : fallback;
    };
    const input = usdAt('input', 0);
    const output = usdAt('output', 0);
    return {
      model: String(entry.model ?? ''),
      ...{
        input,
        output,
        cachedInput: usdAt('cached_input', input),
        cacheWrite: usdAt('cache_write', input),
        reasoning: usdAt('reasoning', output),
      },
    };
  });
}

/**
 * USD for a usage by the first entry that names the model; null = none does, or the server reported
 * no usage of a model that is not free.
 */
export function statedPriceOf(prices: readonly StatedPrice[], model: string, usage: ModelUsage): number | null {
  const price = prices.find((one) => fits(one.model, model));
  if (price === undefined) return null;
  const { input, output, cachedInput, cacheWrite, reasoning } = price;
  if (usage.unreported === true) return input + output + cachedInput + cacheWrite + reasoning === 0 ? 0 : null;
  // Servers have been seen to report more cached tokens than tokens.
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, usage.inputTokens - cached);
  const thought = Math.min(usage.reasoningTokens, usage.outputTokens);
  const usd =
    (usage.inputTokens - cached - written) * input +
    cached * cachedInput +
    written * cacheWrite +
    (usage.outputTokens - thought) * output +
    thought * reasoning;
  return Number.isFinite(usd) ? usd / TOKENS : null;
}

/** Takes time in proportion to both texts: each piece is looked for once, from the left. */
function fits(glob: string, model: string): boolean {
  const [first = '', ...rest] = glob.split('*');
  if (rest.length === 0) return glob === model;
  const last = rest.pop() ?? '';
  if (model.length < first.length + last.length || !model.startsWith(first) || !model.endsWith(last)) return false;
  const end = model.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = model.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
