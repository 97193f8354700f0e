import type { Json } from '../domain/json.js';
import type { EmbedResult, ModelProvider } from '../domain/ports/model.js';
import type { ProviderBinding } from '../domain/snapshot.js';
import type { Take } from './replay-tools.js';
import { askedOfEmbedding } from './requests.js';
import type { CassetteWriter } from './write-cassette.js';

/**
 * What a provider made of texts: vectors as base64 of 32-bit floats, little-endian, with their
 * price; or its failure as it came.
 */
type RecordedEmbedding =
  | { readonly vectors: readonly string[]; readonly usage: Json; readonly price: number | null }
  | { readonly failure: Json };

/** Where the answers of one provider are recorded. */
export interface RecordingPlace {
  readonly writer: CassetteWriter;
  readonly binding: ProviderBinding;
  readonly key: string;
}

type Embed = NonNullable<ModelProvider['embed']>;

/** A provider that makes none says so, in the file too. */
export function recordEmbeddings(provider: ModelProvider, { writer, binding, key }: RecordingPlace): Embed {
  return async (request, options) => {
    const result = (await provider.embed?.(request, options)) ?? NONE;
    if (options.signal.aborted) return result;
    const gave = encode(provider, request.model, result);
    writer.keep<RecordedEmbedding>(
      { kind: 'embedding', key, n: 0, asked: askedOfEmbedding(binding.id, request) },
      gave,
    );
    return result;
  };
}

/** `onPrice`: what the provider of then took for it. */
export function replayEmbeddings(
  take: Take,
  { binding, key, onPrice }: Omit<RecordingPlace, 'writer'> & { readonly onPrice: (price: number | null) => void },
): Embed {
  return async (request, { signal }) => {
    const recorded = await take<RecordedEmbedding>(
      { kind: 'embedding', key, n: 0, asked: askedOfEmbedding(binding.id, request) },
      signal,
    );
    // Written by the recorder above.
    if ('failure' in recorded) return { ok: false, failure: recorded.failure } as unknown as EmbedResult;
    onPrice(recorded.price);
    return {
      ok: true,
      response: { vectors: recorded.vectors.map(decodeVector), usage: recorded.usage },
    } as unknown as EmbedResult;
  };
}

const NONE: EmbedResult = {
  ok: false,
  failure: { kind: 'bad_request', message: 'this provider makes no embeddings', status: null, retryAfterMs: null },
};

function encode(provider: ModelProvider, model: string, result: EmbedResult): RecordedEmbedding {
  if (!result.ok) return { failure: result.failure };
  const { vectors, usage } = result.response;
  return { vectors: vectors.map(encodeVector), usage: usage as unknown as Json, price: provider.price(model, usage) };
}

const BYTES = 4;

function encodeVector(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * BYTES);
  vector.forEach((value, index) => void bytes.writeFloatLE(value, index * BYTES));
  return bytes.toString('base64');
}

function decodeVector(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return Float32Array.from({ length: bytes.length / BYTES }, (_, index) => bytes.readFloatLE(index * BYTES));
}
