import type { Usage } from '../job.js';

/** What calls of models are summed by; a day is one of UTC. */
export type UsageKey = 'model' | 'topology' | 'day';

/** Calls of one model, of one topology or of one day. */
export interface UsageShare extends Pick<Usage, 'inputTokens' | 'outputTokens' | 'cachedInputTokens'> {
  /** Name of the model, name of the topology without a version, or `2030-01-02`. */
  readonly key: string;
  readonly calls: number;
  /** Null: the price of at least one call is unknown. */
  readonly costUsd: number | null;
}

/** Which calls to sum; what is absent narrows nothing. */
export interface UsageFilter {
  /** Default: model. */
  readonly by?: UsageKey;
  readonly jobId?: string;
  /** Name without a version: every version of it. */
  readonly topology?: string;
  /** ISO 8601, inclusive, as `until`. */
  readonly since?: string;
  readonly until?: string;
}
