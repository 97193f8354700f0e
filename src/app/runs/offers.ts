import type { PluginHost, PluginReport } from '../../domain/extension-points.js';
import type { JobOffers } from '../../domain/job-needs.js';
import type { JsonObject } from '../../domain/json.js';
import type { Workspace } from '../../domain/workspace.js';
import { adapterDigest } from '../submit/adapter-trust.js';

/** States in which a plugin can still be used, as far as is known without loading it. */
const USABLE: readonly PluginReport['state'][] = ['registered', 'activating', 'active'];

/**
 * Plugins that can be used now, for a job's `needs` (docs/design/journal.md#engine-and-needs): name
 * -> version.
 */
export function pluginOffers(plugins: Pick<PluginHost, 'report'>): JobOffers['plugins'] {
  const usable = plugins.report().filter((plugin) => USABLE.includes(plugin.state));
  return Object.fromEntries(usable.map((plugin) => [plugin.name, plugin.version]));
}

/**
 * Adapters as the workspace has them: id -> digest of the spec. They stay as they are for as long
 * as it is open.
 */
export function adapterOffers(workspace: Pick<Workspace, 'adapters'>): JobOffers['adapters'] {
  // An adapter's spec is plain JSON by its schema.
  return Object.fromEntries(
    [...workspace.adapters].map(([id, artifact]) => [id, adapterDigest(artifact.raw.spec as unknown as JsonObject)]),
  );
}
