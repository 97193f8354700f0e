import type { EmbedRequest, EmbedResult, ModelCallOptions, ModelFailure, PluginContext } from '@kit-run/kit/plugin';
import { NO_USAGE } from '../shared/answer.js';
import type { ServerConfig } from './config.js';
import { type Phase, toFailure } from './failure.js';
import type { Family } from './family.js';
import { callFetch } from './fetch.js';

interface Embedding {
  readonly family: Family;
  readonly config: ServerConfig;
  readonly context: PluginContext;
  readonly request: EmbedRequest;
  readonly options: Pick<ModelCallOptions, 'signal' | 'stepId'>;
}

/** Embeddings of texts, in one request; who waits, and what a failure means, is kit. */
export async function embed({ family, config, context, request, options }: Embedding): Promise<EmbedResult> {
  if (family.embedding === undefined) return refused('bad_request', 'this provider makes no embeddings');
  // Resolved for each call, as for an answer of a model.
  const key = config.apiKeyEnv === null ? null : context.secrets.env(config.apiKeyEnv);
  if (config.apiKeyEnv !== null && key === null)
    return refused('auth', `the environment variable ${config.apiKeyEnv} is not set`);
  const signal = AbortSignal.any([context.signal, options.signal]);
  let phase: Phase = 'request';
  const onAnswer = (): void => {
    phase = 'answer';
  };
  try {
    const { stepId } = options;
    const fetch = callFetch({
      family,
      config,
      key,
      stepId,
      traceParent: undefined,
      request: { model: request.model, tools: [], options: {} },
      fetch: context.fetch,
      onAnswer,
      onSign: undefined,
      onHeaders: () => {},
    });
    const { embeddings, usage } = await family.embedding({ config, model: request.model, fetch }).doEmbed({
      values: [...request.texts],
      abortSignal: signal,
    });
    return {
      ok: true,
      response: {
        vectors: embeddings.map((vector) => Float32Array.from(vector)),
        usage: {
          ...NO_USAGE,
          costUsd: null,
          inputTokens: usage?.tokens ?? 0,
          ...(usage === undefined ? { unreported: true as const } : {}),
        },
      },
    };
  } catch (error) {
    const secrets = [...(key === null ? [] : [key]), ...Object.values(config.headers)];
    return { ok: false, failure: toFailure(error, { phase, signal, nowMs: context.clock.now(), secrets }) };
  }
}

const refused = (kind: ModelFailure['kind'], message: string): EmbedResult => ({
  ok: false,
  failure: { kind, message, status: null, retryAfterMs: null },
});
