import type { PluginHost, PluginReport } from '../../domain/extension-points.js';
import type { JobOffers } from '../../domain/job.js';
import type { JsonObject } from '../../domain/json.js';
import type { Workspace } from '../../domain/workspace.js';
import { adapterDigest } from '../submit/adapter-trust.js';

/** Where `offersOf` looks. */
export interface OffersDeps {
  readonly workspace: Pick<Workspace, 'adapters'>;
  readonly plugins: Pick<PluginHost, 'report'>;
}

/** States in which a plugin can still be used, as far as is known without loading it. */
const USABLE: readonly PluginReport['state'][] = ['registered', 'activating', 'active'];

/** What this process has for a job's `needs` (journal.md 4.4): plugins that can be used, adapters as the workspace has them now. */
export function offersOf(deps: OffersDeps): JobOffers {
  const plugins = deps.plugins.report().filter((plugin) => USABLE.includes(plugin.state));
  return {
    plugins: Object.fromEntries(plugins.map((plugin) => [plugin.name, plugin.version])),
    adapters: Object.fromEntries(
      // An adapter's spec is plain JSON by its schema.
      [...deps.workspace.adapters].map(([id, artifact]) => [id, adapterDigest(artifact.raw.spec as unknown as JsonObject)]),
    ),
  };
}
