import type { PromptBuffer } from '../domain/ports/prompts.js';

/** The buffer of calls, its code loaded when it is first asked for: every module costs time at each start. */
export function lazyPrompts(load: () => Promise<PromptBuffer>): PromptBuffer {
  let loading: Promise<PromptBuffer> | undefined;
  const buffer = (): Promise<PromptBuffer> => (loading ??= load());
  return {
    keep: async (prompts, bounds) => (await buffer()).keep(prompts, bounds),
    list: async (ask) => (await buffer()).list(ask),
    count: async () => (await buffer()).count(),
  };
}
