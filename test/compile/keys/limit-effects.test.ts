import { test } from 'vitest';
import { showProvider } from '../../../src/app/providers/list-providers.js';
import type { PluginHost } from '../../../src/domain/extension-points.js';
import type { StatedLimits } from '../../../src/domain/limiter.js';
import { askLimiter, newLimiter } from '../../../src/domain/limiter-state.js';
import { nodeFiles } from '../../../src/system/files.js';
import { familyProvider } from '../../plugins/models/helpers.js';
import { showsEffect } from '../../support/shows-effect.js';
import { LIMIT_PROOFS } from './proofs/provider-proofs.js';
import { PROVIDERS } from './proofs/provider-scene.js';

const plugins: Pick<PluginHost, 'find' | 'list'> = { find: () => null, list: () => [] };

/**
 * How many of a hundred requests may be sent at once, and how many in the minute after; and the
 * window of a model.
 */
async function sentOf(directory: string): Promise<unknown> {
  const environment = { MODEL_URL: 'http://127.0.0.1:9' };
  const deps = {
    files: nodeFiles,
    environment,
    adapterSources: [],
    executors: new Map(),
    modelProviders: [],
    authProviders: [],
    eventSinks: [],
    compressors: [],
    skillStrategies: [],
    triggerTypes: [],
    submitter: 'somebody',
    isSet: () => true,
    plugins,
  };
  const { limits, contextWindow } = await showProvider(directory, 'local', deps);
  const base = { base_url: 'http://127.0.0.1:9/v1', limits };
  const config = contextWindow === null ? base : { ...base, context_window: contextWindow };
  const provider = await familyProvider('openai-compatible', config);
  const stated: StatedLimits = provider.limits ?? { inFlight: null, requestsPerMinute: null };
  const ask = { holder: 'me', inUse: 0, waiting: 100, heard: [], stated };
  const first = askLimiter(newLimiter(stated), ask, 0);
  let [state, sent] = [first.state, 0];
  for (let atMs = 1_000; atMs < 60_000; atMs += 1_000) {
    const next = askLimiter(state, ask, atMs);
    state = next.state;
    sent += next.answer.granted;
  }
  return { atOnce: first.answer.granted, within: sent, window: provider.contextWindow?.('any') };
}

test.each(LIMIT_PROOFS)('$key changes what a provider is sent', ({ key, a, b }) =>
  showsEffect(key, a, b, { base: PROVIDERS, observe: sentOf }),
);
