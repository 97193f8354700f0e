import type { Weights } from '../../govern/canary.js';
import type { CanaryReport } from '../../view/canary-report.js';

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
