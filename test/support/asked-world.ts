import type { ModelCallOptions, ModelProvider, ModelResult } from '../../src/domain/ports/model.js';
import type { Clock } from '../../src/domain/ports/system.js';
import { agent, type World, type WorldOptions } from './run-world.js';

/** How a model answers one call. */
export type Generate = (options: ModelCallOptions) => Promise<ModelResult>;

/** An answer that cost something. */
export const fine: ModelResult = {
  ok: true,
  response: {
    parts: [{ type: 'text', text: 'fine' }],
    finish: 'stop',
    usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0.001 },
    model: 'fake-1',
  },
};

/** Never answers, and never heeds a signal. */
export const never = (): Promise<ModelResult> => new Promise(() => undefined);

/**
 * A world of one agent whose model is `generate`, without retries and without patience; how often
 * it was asked is counted. A token in or out costs 0.001 USD.
 */
export async function askedWorld(
  open: (options: WorldOptions) => Promise<World>,
  generate: Generate,
  over: Partial<WorldOptions> & { readonly clock: Clock },
): Promise<{ readonly world: World; readonly asked: () => number }> {
  let asked = 0;
  const provider: ModelProvider = {
    price: (_, { inputTokens, outputTokens }) => (inputTokens + outputTokens) / 1000,
    generate: (_, options) => {
      asked += 1;
      return generate(options);
    },
  };
  const world = await open({
    root: agent('root', { role: 'root' }),
    script: () => 'unused',
    leaseMs: 24 * 3_600_000,
    facilities: () => ({ provider: async () => provider }),
    ...over,
    env: { KIT_MODEL_RETRIES: 0, KIT_OUTAGE_PATIENCE_S: 0, ...over.env },
  });
  return { world, asked: () => asked };
}
