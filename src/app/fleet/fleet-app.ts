import type { SeenMember } from '../../domain/ports/fleet.js';
import type { FleetOverview } from '../../view/fleet-overview.js';

/** The processes that work on the runs of a workspace, and what they are at. */
export interface FleetApp {
  /**
   * Servers and workers, the living first; those that fell silent stay for an hour. Empty for a
   * workspace in which nothing was ever run. Throws KIT_WORKSPACE_NOT_FOUND, KIT_STORE_*.
   */
  members(ask: { readonly workspace: string }): Promise<readonly SeenMember[]>;
  /**
   * What `kit top` shows, with at most `limit` rows of each kind. Asked again and again it reads of
   * each run what is new. Throws KIT_WORKSPACE_NOT_FOUND, KIT_STORE_*.
   */
  overview(ask: { readonly workspace: string; readonly limit: number }): Promise<FleetOverview>;
}
