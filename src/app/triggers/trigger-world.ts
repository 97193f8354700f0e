import type { PluginHost } from '../../domain/extension-points.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Workspace } from '../../domain/workspace.js';

/** A workspace with what its triggers need: on a server the one that is served now. */
export interface TriggerWorld {
  readonly workspace: Workspace;
  /** Its contributions see the credentials of this workspace. */
  readonly plugins: Pick<PluginHost, 'resolve'>;
  readonly stores: () => Promise<Stores>;
}
