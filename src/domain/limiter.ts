/** What the configuration states of an account; null: nothing. */
export interface StatedLimits {
  /** Requests under way at the same time, >= 1. */
  readonly inFlight: number | null;
  /** Requests begun within any minute, >= 1. */
  readonly requestsPerMinute: number | null;
}

/** The limit on requests that an answer reported, in its headers. */
export interface ReportedLimit {
  /** Requests until the limit is whole again. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** What came of a request that was under way. */
export type Heard =
  /** The provider took it: it answered, or has not refused it for a second. Once of each. */
  | { readonly type: 'taken' }
  /** The provider limits the rate; `ageMs`: how long ago the request was sent. */
  | { readonly type: 'refused'; readonly retryAfterMs: number | null; readonly ageMs: number }
  | { readonly type: 'reported'; readonly limit: ReportedLimit };

/** What one process says and asks. */
export interface LimiterAsk {
  /** Names the process. */
  readonly holder: string;
  /** Its requests under way. */
  readonly inUse: number;
  /** How many more it wants to send now. */
  readonly waiting: number;
  /** Since it said so last. */
  readonly heard: readonly Heard[];
  readonly stated: StatedLimits;
}

/** Why somebody has to wait. `closed`: the provider refused, and asked for a pause. */
export type LimiterReason = 'in_flight' | 'requests_per_minute' | 'closed';

export interface LimiterAnswer {
  /** How many of those that it wants may be sent now. */
  readonly granted: number;
  /** Why not all; null = all. */
  readonly reason: LimiterReason | null;
  /** After how many milliseconds asking again makes sense; null = once a request has ended. */
  readonly retryInMs: number | null;
}
