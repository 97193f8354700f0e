import type { CanaryPromotion } from '../domain/ports/serving.js';
import type { PromoteCondition } from '../domain/promote-condition.js';

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
