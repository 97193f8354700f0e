import { expect, it } from 'vitest';
import type { ModelProvider } from '../../src/domain/ports/model.js';
import { agent } from '../support/run-world.js';
import { sameAgain } from './same-again.js';

it('an answer that broke off, with what had come of it', async () => {
  const provider: ModelProvider = {
    price: (_, { inputTokens, outputTokens }) => (inputTokens + outputTokens) / 1000,
    generate: async (_, { onSign, onText }) => {
      onSign?.('sent');
      onSign?.('piece');
      onText?.('x'.repeat(40));
      return { ok: false, failure: { kind: 'cut_stream', message: 'cut', status: null, retryAfterMs: null } };
    },
  };
  const { job } = await sameAgain({
    root: agent('root', { role: 'root' }),
    env: { KIT_MODEL_RETRIES: 0 },
    script: () => '',
    facilities: () => ({ provider: async () => provider }),
  });

  expect(job.usage).toMatchObject({ outputTokens: 10, estimated: true });
  expect(job.usage?.costUsd).toBeGreaterThan(0.01);
});
