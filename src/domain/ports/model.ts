import type { Usage } from '../job.js';
import type { Json, JsonObject, JsonSchema } from '../json.js';
import type { ReportedLimit } from '../limiter.js';
import type { ProviderLimits } from './limiter.js';

/** A PDF; `data` is base64, `name` what its tool calls it. */
export type DocumentPart = {
  readonly type: 'document';
  readonly mediaType: 'application/pdf';
  readonly name: string;
  readonly data: string;
};

/**
 * One part of a message. Images and documents appear only in user messages. `state` is what the
 * provider wants
 * back with its part in the next request (a thought signature, signed reasoning): opaque, kept as
 * it came, read by the provider that wrote it and by nobody else. An empty text holds the state of
 * a whole message that has calls alone.
 */
export type MessagePart =
  | { readonly type: 'text'; readonly text: string; readonly state?: JsonObject }
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string }
  | DocumentPart
  | {
      readonly type: 'tool_call';
      readonly id: string;
      readonly name: string;
      readonly input: Json;
      readonly state?: JsonObject;
    }
  | {
      readonly type: 'tool_result';
      readonly id: string;
      readonly name: string;
      readonly output: Json;
      readonly isError: boolean;
    };

/** One message of a conversation, in the order in which it was said. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly parts: readonly MessagePart[];
}

/** A tool as it is offered to the model; its arguments have to fit `inputSchema`. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/**
 * What the model may do with the tools of a request. `auto`: call them, or answer. `none`: answer,
 * although tools stand in the request, because the conversation has calls of them. `required`: call
 * one of them. `tool`: call the one of that name; `must`: an author wants it, so that a provider
 * which cannot say it refuses, as for `required`. `text`: go on with a text that was cut off,
 * without a call and without the schema. A provider that cannot say so sends the request as `auto`;
 * calls that come all the same are refused one by one.
 */
export type ToolChoice =
  | { readonly type: 'auto' }
  | { readonly type: 'none' }
  | { readonly type: 'text' }
  | { readonly type: 'required' }
  | { readonly type: 'tool'; readonly name: string; readonly must?: true };

/** How much a model that reasons does so before it answers. */
export const EFFORTS = ['low', 'medium', 'high'] as const;
export type Effort = (typeof EFFORTS)[number];

/** How a model is asked, whatever it is asked. Null and absent: what the provider does itself. */
export interface ModelSettings {
  readonly temperature: number | null;
  /** Output limit of one call. */
  readonly maxTokens: number | null;
  /** A provider that knows no such thing leaves it out. */
  readonly effort?: Effort;
  /**
   * Calls of tools whose schemas allow it are kept to them by the provider; one that cannot do so
   * refuses the call. Absent: they are checked alone.
   */
  readonly strict?: true;
  /** Provider-native options, applied last. */
  readonly options: JsonObject;
}

/**
 * One question to a model. `outputSchema` and tools go in one request only to a provider that says
 * `schemaBesideTools`; every other one gets the schema as one more tool
 * (docs/design/execution.md#output-schema).
 */
export interface ModelRequest extends ModelSettings {
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  /** Absent: `auto`. Says nothing where there are no tools. */
  readonly toolChoice?: ToolChoice;
  readonly outputSchema: JsonSchema | null;
}

/** Tokens and cost of one call, as the provider reported them; cost in USD. */
export interface ModelUsage
  extends Pick<Usage, 'inputTokens' | 'outputTokens' | 'cachedInputTokens' | 'reasoningTokens'> {
  /** Part of the input that was written to a cache, for a price of its own; absent: none. */
  readonly cacheWriteTokens?: number;
  /** Reported by the provider; null = not reported (the price table is asked). */
  readonly costUsd: number | null;
  /**
   * Set when the other side reported no usage at all: the numbers are 0 and mean nothing, `price`
   * answers null.
   */
  readonly unreported?: true;
}

/** One answer of a model. */
export interface ModelResponse {
  /**
   * text and tool_call parts only. A tool call whose arguments are not a JSON object has `input: {
   * __invalid: <the text as it came> }`, so that the engine can answer that call with an error
   * result.
   */
  readonly parts: readonly MessagePart[];
  readonly finish: 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'other';
  readonly usage: ModelUsage;
  /** The provider's own id of the model that answered. */
  readonly model: string;
  /**
   * Facts about how the answer came about; nothing in the run depends on them. `rules` puts
   * `sources` here: JSON Pointer into the answer -> where the value stands in the children's
   * results, or `count(...)`, `sum(...)`, `status(...)` of a query.
   */
  readonly annotations?: JsonObject;
}

/**
 * Why a model call failed, as a value; `retryAfterMs` is the provider's advice, the engine decides.
 * `message` never holds a key. `timeout` stands for every abort of the call's signal: who aborted
 * knows why. `quota`: the account has nothing left to spend, which no waiting fixes.
 * `context_overflow`: the request is longer than the model's window. `unfilled`:
 * the provider `rules` found no value for a required field; its message begins with
 * `rules.unfilled`.
 */
export type ModelFailure = {
  readonly kind:
    | 'timeout'
    | 'rate_limited'
    | 'overloaded'
    | 'server'
    | 'network'
    | 'cut_stream'
    | 'malformed'
    | 'auth'
    | 'quota'
    | 'context_overflow'
    | 'bad_request'
    | 'unfilled';
  readonly message: string;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  /** What of an answer had come, in characters of its text; absent: nothing, or nobody counted. */
  readonly partial?: { readonly chars: number };
};

/** What a call came to; failures are values, so that the engine can decide about another try. */
export type ModelResult =
  | { readonly ok: true; readonly response: ModelResponse }
  | { readonly ok: false; readonly failure: ModelFailure };

/** Texts whose meanings are to be compared. */
export interface EmbedRequest {
  /** A model for embeddings, as the provider knows it. */
  readonly model: string;
  /** At least one, none empty. */
  readonly texts: readonly string[];
}

/** Failures are values, as for `ModelResult`. */
export type EmbedResult =
  | {
      readonly ok: true;
      readonly response: {
        /**
         * One a text, in their order, all of the same length. Vectors of different calls or models
         * are never compared.
         */
        readonly vectors: readonly Float32Array[];
        readonly usage: ModelUsage;
      };
    }
  | { readonly ok: false; readonly failure: ModelFailure };

/** What belongs to one call and not to what is asked. */
export interface ModelCallOptions {
  readonly signal: AbortSignal;
  /** Sent to the other side so that it can deduplicate a repeated call. */
  readonly stepId: string;
  /** W3C `traceparent` of the call, for the other side to hang its own spans below. */
  readonly traceParent?: string;
  /** Streamed text; ephemeral, nothing depends on it. */
  readonly onText?: (text: string) => void;
  /**
   * Called when a request whose answer comes in pieces was sent, and for each piece that comes,
   * whatever is in it. Who calls it is held to KIT_MODEL_FIRST_BYTE_S and KIT_MODEL_SILENCE_S; who
   * never does, to the time of the whole call alone.
   */
  readonly onSign?: (sign: 'sent' | 'piece') => void;
  /** Called with the limit on requests that an answer reports. */
  readonly onLimit?: (limit: ReportedLimit) => void;
}

/**
 * One provider with its configuration and key. Failures are values; a throw is a bug of the
 * provider.
 */
export interface ModelProvider {
  generate(request: ModelRequest, options: ModelCallOptions): Promise<ModelResult>;
  /**
   * It takes an output schema and tools in one request, and tells a call from an answer. Absent: it
   * is never given both, nor the choice `text`, and answers by a call of a tool whose arguments are
   * the answer.
   */
  readonly schemaBesideTools?: true;
  /**
   * It takes documents. Absent: it is never given one, and its model is told by name what is
   * missing.
   */
  readonly documents?: true;
  /** Vectors of texts, for memory; absent: the provider makes none. One call is one request. */
  embed?(request: EmbedRequest, options: Pick<ModelCallOptions, 'signal' | 'stepId'>): Promise<EmbedResult>;
  /**
   * Tokens that a request and its answer may have together; null = unknown. Absent: nothing is
   * known of any model.
   */
  contextWindow?(model: string): number | null;
  /** Whose limits its requests count against. Absent: they are not bounded. */
  readonly limits?: ProviderLimits;
  /**
   * USD for this usage of this model, or null when the price is unknown; consulted when a usage
   * report has no cost.
   */
  price(model: string, usage: ModelUsage): number | null;
}
