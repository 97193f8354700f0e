import type { ClosingBuffer } from './prompts/prompts.js';

/**
 * The buffer of calls, its code loaded when it is first asked for: every module costs time at each
 * start.
 */
export function lazyPrompts(load: () => Promise<ClosingBuffer>): ClosingBuffer {
  let loading: Promise<ClosingBuffer> | undefined;
  const buffer = (): Promise<ClosingBuffer> => (loading ??= load());
  return {
    keeper: async (bounds) => (await buffer()).keeper(bounds),
    list: async (ask) => (await buffer()).list(ask),
    count: async () => (await buffer()).count(),
    close: async () => (await loading)?.close(),
  };
}
