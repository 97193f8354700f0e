import { messageOf } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import type { ModelCallOptions, ModelProvider, ModelRequest, ModelResult } from '../domain/ports/model.js';
import { CallTimeout } from '../domain/ports/system.js';
import { besideTools } from '../engine/answer-tool.js';
import { CallSigns } from '../engine/call-times.js';
import { lostUsage } from '../engine/lost-usage.js';
import { uncachedPrice } from '../engine/model-ends.js';
import { readModelResult } from '../engine/model-result.js';
import { takingDocuments } from '../engine/without-documents.js';
import type { RunFacilities } from '../worker/facilities.js';
import { type RecordingPlace, recordEmbeddings } from './embeddings.js';
import { encodeError } from './recorded-error.js';
import { askedOfModel } from './requests.js';
import type { CassetteWriter } from './write-cassette.js';

/**
 * What a model answer is in the file: the result as the engine sees it, and the price that the
 * provider gave for it.
 */
export type RecordedModel = {
  readonly result: Json;
  readonly price: number | null;
  /** What the same tokens cost without a cache. Absent: there was none, or nobody recorded it. */
  readonly uncached?: number | null;
  /** Tokens of the model's window. Absent: nobody knew. */
  readonly window?: number;
};

/**
 * Every answer of a provider, each attempt of a step in its order; a provider that cannot be opened
 * is an answer too.
 */
export function recordModels(real: RunFacilities, writer: CassetteWriter): RunFacilities['provider'] {
  return async (binding, key) => {
    const provider = await real.provider(binding, key).then(besideTools, (error: unknown) => {
      writer.keep({ kind: 'provider', key, n: 0, asked: { provider: binding.id } }, encodeError(error));
      throw error;
    });
    return recording(takingDocuments(provider, binding.id), { writer, binding, key });
  };
}

function recording(provider: ModelProvider, { writer, binding, key }: RecordingPlace): ModelProvider {
  let attempts = 0;
  return {
    price: (model, usage) => provider.price(model, usage),
    contextWindow: (model) => provider.contextWindow?.(model) ?? null,
    ...(provider.limits === undefined ? {} : { limits: provider.limits }),
    schemaBesideTools: true,
    documents: true,
    embed: recordEmbeddings(provider, { writer, binding, key }),
    generate: async (request, options) => {
      const came = new CallSigns();
      const result = withPartial(await answerOf(provider, request, came.listening(options)), came);
      const asked = { kind: 'model', key, n: attempts, asked: askedOfModel(binding.id, request) } as const;
      // Unless a limit around the call cut it off, the run itself ends here: what its step saw is
      // not known to anybody, and the step stays open.
      if (options.signal.aborted && !(options.signal.reason instanceof CallTimeout)) {
        writer.keepCut(asked, options.signal);
        return result;
      }
      const price = result.ok
        ? provider.price(request.model, result.response.usage)
        : (lostUsage({ request, failure: result.failure, progress: came, provider })?.costUsd ?? null);
      const uncached = result.ok ? uncachedPrice(provider, request.model, result.response.usage) : undefined;
      // A result is plain JSON once it is read.
      const window = provider.contextWindow?.(request.model) ?? null;
      const gave = {
        result: result as unknown as Json,
        price,
        ...(uncached === undefined ? {} : { uncached }),
        ...(window === null ? {} : { window }),
      };
      const kept = writer.keep<RecordedModel>(asked, gave);
      attempts += 1;
      return kept.result as unknown as ModelResult;
    },
  };
}

/** A replay hears nothing: what had come of an answer that failed is part of what is kept. */
const withPartial = (result: ModelResult, { heard, chars }: CallSigns): ModelResult =>
  result.ok || heard !== 'piece' ? result : { ok: false, failure: { ...result.failure, partial: { chars } } };

/**
 * The answer, the throw or the end of the time, whichever is first: what the engine makes of it is
 * what is recorded.
 */
async function answerOf(
  provider: ModelProvider,
  request: ModelRequest,
  options: ModelCallOptions,
): Promise<ModelResult> {
  const { signal } = options;
  const asked = provider
    .generate(request, options)
    .then(readModelResult, (error: unknown) => failure('malformed', error));
  const settled = new AbortController();
  const ended = new Promise<ModelResult>((resolve) => {
    const end = (): void => resolve(failure('timeout', signal.reason));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true, signal: settled.signal });
  });
  try {
    return await Promise.race([asked, ended]);
  } finally {
    settled.abort();
  }
}

function failure(kind: 'malformed' | 'timeout', error: unknown): ModelResult {
  return {
    ok: false,
    failure: {
      kind,
      message: messageOf(error),
      status: null,
      retryAfterMs: null,
    },
  };
}
