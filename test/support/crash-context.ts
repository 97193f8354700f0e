import type { MessagePart, ModelProvider, ModelRequest, ModelResult } from '../../src/domain/ports/model.js';
import { tokensOf } from '../../src/engine/results.js';
import { sha256Hex } from '../../src/lib/sha256.js';
import { SUMMARISE } from '../../src/prompts/summary.js';
import type { CrashPlan } from './crash-plan.js';

/**
 * `crowded`: an agent reads files until the window of its model is 60 % full, then 80 %.
 * `overflowing`: nobody knows the window, and the provider refuses what is longer.
 */
const WINDOW = 3_000;
/** The later files fill the window although older ones were cleared. */
const FILES = 9;
/** Of a result that was cleared before, which the reader looks at once more after this file. */
const LOOKS_BACK_AFTER = 5;

/** Tokens of a request as these providers count them. */
const sizeOf = ({ messages, tools }: ModelRequest): number => tokensOf(JSON.stringify([messages, tools]));

const digestOf = (value: unknown): string => sha256Hex(JSON.stringify(value)).slice(0, 12);

const OVERFLOW: ModelResult = {
  ok: false,
  failure: { kind: 'context_overflow', message: 'the prompt is too long', status: 400, retryAfterMs: null },
};

/** The model of a scenario whose conversation outgrows it; every other is as it was. */
export function windowed({ scenario }: CrashPlan, provider: ModelProvider): ModelProvider {
  if (scenario !== 'crowded' && scenario !== 'overflowing') return provider;
  return {
    ...provider,
    ...(scenario === 'crowded' ? { contextWindow: () => WINDOW } : {}),
    generate: async (request, context) => {
      const inputTokens = sizeOf(request);
      if (inputTokens > WINDOW) return OVERFLOW;
      const result = await provider.generate(request, context);
      if (!result.ok) return result;
      const { response } = result;
      return { ok: true, response: { ...response, usage: { ...response.usage, inputTokens } } };
    },
  };
}

/**
 * Without a memory: the next file is one more than the newest in the request. What is said holds a
 * digest of the whole request, so a conversation that went on otherwise ends otherwise.
 */
export function readerAnswer({ messages }: ModelRequest): readonly MessagePart[] | string {
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_call'));
  const last = calls.at(-1);
  const read = Math.max(0, ...calls.filter(({ name }) => name === 'read').map(({ input }) => Number(fileOf(input))));
  const ref = /\\?"ref\\?": \\?"(read-[0-9a-f]{12})/.exec(JSON.stringify(messages).replaceAll('\\', ''))?.[1];
  if (read === LOOKS_BACK_AFTER && last?.name === 'read' && ref !== undefined)
    return [{ type: 'tool_call', id: 'back', name: 'context_retrieve', input: { ref, limit: 100 } }];
  if (read === FILES) return `read ${read} files, ${digestOf(messages)}`;
  return [{ type: 'tool_call', id: `r${read + 1}`, name: 'read', input: { input: `${read + 1}` } }];
}

const fileOf = (input: unknown): unknown => (input as { readonly input: unknown }).input;

/** The summary of a conversation, or null where none was asked for. */
export function summaryAnswer({ messages }: ModelRequest): string | null {
  const system = messages[0]?.parts[0];
  return system?.type === 'text' && system.text === SUMMARISE ? `What was read, ${digestOf(messages)}.` : null;
}
