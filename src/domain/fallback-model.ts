import type { JsonObject } from './json.js';

/** A model that is asked while the one before it is away or refuses; several in this order. */
export interface FallbackModel {
  readonly provider: string;
  readonly model: string;
  /** In the words of its provider. */
  readonly options: JsonObject;
}

/** What a model block says of who answers, beside the model itself. */
export interface ModelRouting {
  /** What the first answer has to be, where there are tools; absent: what the model decides. */
  readonly firstCall?: 'required' | { readonly tool: string };
  /** Absent: nobody else is asked. */
  readonly fallback?: readonly FallbackModel[];
}
