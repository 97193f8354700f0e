import type { RecordedRequest, ScriptedUsage } from './protocol.js';

/** USD per million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cached_input: number;
  readonly cache_write: number;
}

export const OUTPUT_TOKENS = 100;

/**
 * Bills what a request begins with. Anthropic keeps what the marks of this request and of those
 * before it say; the others keep everything that they were sent.
 */
export function billed(price: Prices) {
  const kept = new Set<string>();
  const bills: { readonly usd: number; readonly withoutUsd: number }[] = [];
  const usageOf = (request: RecordedRequest): ScriptedUsage => {
    const { blocks, isMarked } = blocksOf(request);
    let prefix = '';
    let [cached, marked] = [0, 0];
    const ends: string[] = [];
    for (const block of blocks) {
      prefix += JSON.stringify(block, (key, member: unknown) => (key === 'cache_control' ? undefined : member));
      if (kept.has(prefix)) cached = tokensIn(prefix);
      if (isMarked && !hasMark(block)) continue;
      if (isMarked) marked = tokensIn(prefix);
      ends.push(prefix);
    }
    for (const end of ends) kept.add(end);
    const prompt = tokensIn(prefix);
    const written = Math.max(0, marked - cached);
    const output = OUTPUT_TOKENS * price.output;
    const usd = (prompt - cached - written) * price.input + cached * price.cached_input + written * price.cache_write;
    bills.push({ usd: (usd + output) / 1e6, withoutUsd: (prompt * price.input + output) / 1e6 });
    return { prompt, completion: OUTPUT_TOKENS, cached, ...(isMarked ? { written } : {}) };
  };
  return { bills, usageOf };
}

const tokensIn = (text: string): number => Math.ceil(text.length / 4);

const hasMark = (block: unknown): boolean => typeof block === 'object' && block !== null && 'cache_control' in block;

/** A request in the order in which a service reads it: tools, system text, messages. */
function blocksOf({ body }: RecordedRequest): { readonly blocks: readonly unknown[]; readonly isMarked: boolean } {
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value == null ? [] : [value]);
  const isMarked = body.max_tokens !== undefined && body.system !== undefined && Array.isArray(body.messages);
  const messages = list(body.messages ?? body.input ?? body.contents);
  const said = isMarked ? messages.flatMap((message) => list((message as { content?: unknown }).content)) : messages;
  return { blocks: [...list(body.tools), ...list(body.system ?? body.systemInstruction), ...said], isMarked };
}
