import type { DecisionSignature, RoleDirectory } from '../../domain/gates.js';
import type { Stores, WorkerHost } from '../../domain/ports/stores.js';
import type { Clock, Ids } from '../../domain/ports/system.js';
import type { Workspace } from '../../domain/workspace.js';
import type { FleetReadDeps } from '../fleet/queue-stats.js';

/** Real parts behind the use cases. */
export interface ReviewDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly host: WorkerHost;
  /**
   * Opens the store of a workspace without reading its YAML; null when it has none yet. Throws
   * KIT_WORKSPACE_NOT_FOUND.
   */
  readonly openStores: (workspace: string) => Promise<Stores | null>;
  /** The role registry of a workspace as its files stand now. Throws KIT_WORKSPACE_INVALID. */
  readonly readRoles: (workspace: string) => Promise<RoleDirectory>;
  /** Loads and checks the whole workspace. Throws KIT_WORKSPACE_INVALID. */
  readonly loadWorkspace: (workspace: string) => Promise<Workspace>;
  /** What this process offers to runs that need this. Throws KIT_WORKSPACE_INVALID. */
  readonly offers: FleetReadDeps['offers'];
  /** Signs decisions; null: no key is there. Throws KIT_SIGNING_KEY_INVALID. */
  readonly signer: () => Promise<((body: string) => DecisionSignature) | null>;
  /**
   * A server of this process finds dead runs itself, by its own setting (`server.jobs.recover`);
   * absent = none does.
   */
  readonly isSwept?: () => boolean;
  /**
   * Takes the secrets that a workspace knows out of what people write, before any of it is kept
   * (docs/design/journal.md#masking).
   */
  readonly maskOf: (workspace: string) => Promise<(text: string) => string>;
}
