import type { LimiterAnswer, LimiterAsk, LimiterReason, ReportedLimit, StatedLimits } from '../limiter.js';

/** What a provider says of whom its requests count against. */
export interface ProviderLimits extends StatedLimits {
  /**
   * The same text for all that share a limit, such as the address and the name of the key. kit
   * keeps a digest of it alone.
   */
  readonly account: string;
}

/** What came of a request that was permitted. */
export type PermitEnd =
  | { readonly type: 'answered' }
  | { readonly type: 'refused'; readonly retryAfterMs: number | null }
  /** It failed in a way that says nothing of limits, or was given up. */
  | { readonly type: 'failed' };

/** One request may be sent. Each permit is ended, once. */
export interface Permit {
  report(limit: ReportedLimit): void;
  end(end: PermitEnd): void;
}

/** Why somebody waits for a permit. */
export interface PermitWait {
  readonly reason: LimiterReason;
  /** Milliseconds since 1970; null = once another request has ended. */
  readonly untilMs: number | null;
}

export interface PermitRequest {
  readonly limits: ProviderLimits;
  /** The promise rejects with its reason, and nothing is held. */
  readonly signal: AbortSignal;
  /** Who would have to wait longer for a provider that refuses is told so instead. */
  readonly longestClosedMs: number;
}

/** A provider that takes nothing for longer than the caller waits. */
export interface Closed {
  readonly closedForMs: number;
}

/** One for each process: bounds the requests to each account of a model provider. */
export interface ModelLimiter {
  permit(request: PermitRequest): Promise<Permit | Closed>;
  /** Why those wait that wait for a permit of the account now. */
  waitOf(account: string): PermitWait;
}

/** Where the state of an account lies: in the process, or in the store for every process. */
export type LimiterHome = (account: string, ask: LimiterAsk) => LimiterAnswer | Promise<LimiterAnswer>;

/** The state of accounts, shared by every process of a store. */
export interface SharedLimits {
  /** How many more requests one process may send to an account, by the store's clock. */
  shareLimit(account: string, ask: LimiterAsk): Promise<LimiterAnswer>;
}
