import type {
  EmbeddingModelV4,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { JsonObject, ModelRequest } from '@kit-run/kit/plugin';
import type { ServerConfig } from './config.js';

/** What a family needs to build its language model for one call. */
export interface ModelParts {
  readonly config: ServerConfig;
  /** Model id, as the other side knows it. */
  readonly model: string;
  /** The fetch of this call: it carries key, headers and options, and refuses redirects. */
  readonly fetch: typeof globalThis.fetch;
}

/** What differs between the protocols; everything else of a call is in pipeline.ts, once. */
export interface Family {
  /** Namespace of the options and the metadata of the wire library. */
  readonly name: string;
  /**
   * Object of the request that holds the options which are not lifted; null = the protocol has
   * none.
   */
  readonly nest: string | null;
  /**
   * Keys of the request that kit decides for each call: an option of that name would break the
   * reading of the answer.
   */
  readonly reserved: readonly string[];
  /** Options that are left out: they mean something to another family, and are an error here. */
  readonly ignored: (config: ServerConfig) => readonly string[];
  model(parts: ModelParts): LanguageModelV4;
  /** Absent: the protocol has no embeddings. */
  readonly embedding?: (parts: ModelParts) => EmbeddingModelV4;
  /** Options of the wire library for one call. */
  libraryOptions(request: ModelRequest): JsonObject;
  /** The call as the library gets it, with what only this protocol has; absent: as it is. */
  readonly adorned?: (options: LanguageModelV4CallOptions, request: ModelRequest) => LanguageModelV4CallOptions;
  /**
   * What of an answer's metadata goes back with its message in the next request, as options of the
   * wire library; null = nothing. Absent: nothing ever does.
   */
  readonly returned?: (metadata: SharedV4ProviderMetadata | undefined) => JsonObject | null;
  /** It takes PDFs, wherever it takes images. Absent: no. */
  readonly documents?: true;
  /** The arguments of a tool have to be one object, without alternatives at the top. Absent: no. */
  readonly flatTools?: true;
  /** How an output schema is asked for: in the request, or in words. */
  schemaWay(request: ModelRequest, config: ServerConfig): 'request' | 'prompt';
}
