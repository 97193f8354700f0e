import type { CanaryPromotion } from '../../domain/ports/serving.js';
import type { PromoteCondition, Weights } from '../../govern/canary.js';

/**
 * One version of a route as it stands. Rates are null before anything was counted in the window.
 */
export interface CanaryVersionState {
  readonly version: string;
  /** What holds now: an override, else the file. */
  readonly weight: number;
  readonly runs: number;
  readonly failed: number;
  readonly errorRate: number | null;
  readonly meanDrift: number | null;
  /** ISO 8601; null before the first counted run. */
  readonly windowStart: string | null;
  /** Null: nothing promotes it by itself. */
  readonly promoteWhen: { readonly windowMs: number; readonly conditions: readonly PromoteCondition[] } | null;
}

/** One route with what it has counted. */
export interface CanaryRouteState {
  readonly topology: string;
  readonly versions: readonly CanaryVersionState[];
  /** The weights are not those of the file: people or criteria changed them. */
  readonly isOverridden: boolean;
}

/** All routes of the workspace, and the newest changes of traffic first (at most 100). */
export interface CanaryReport {
  readonly routes: readonly CanaryRouteState[];
  readonly promotions: readonly CanaryPromotion[];
}

/** A change of traffic that somebody asks for. */
export interface ChangeTraffic {
  readonly workspace: string;
  readonly topology: string;
  readonly by: string;
}

/**
 * Traffic between versions of a topology. Counters and overrides lie in the store, so that every
 * server of the database shares them and a restart keeps them; another configuration of a route
 * starts anew. Runs that completed or failed count, once each, when they end.
 */
export interface CanaryApp {
  list(ask: { readonly workspace: string }): Promise<CanaryReport>;
  /**
   * All traffic to one version. Throws KIT_CANARY_UNKNOWN (no route, or it has no such version:
   * nothing is changed), KIT_CANARY_CONFLICT.
   */
  promote(
    change: ChangeTraffic & { readonly version: string },
  ): Promise<{ readonly topology: string; readonly weights: Weights }>;
  /** All traffic to the version that is listed first. Throws as `promote` does. */
  rollback(change: ChangeTraffic): Promise<{ readonly topology: string; readonly weights: Weights }>;
}
