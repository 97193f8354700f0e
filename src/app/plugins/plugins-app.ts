import type { PluginReport } from '../../domain/extension-points.js';
import type { PluginCheckReport, PluginCheckRequest } from '../../domain/ports/plugin-authoring.js';
import type { PluginInstaller } from '../../domain/ports/plugins.js';
import type { NewPluginPlan, NewPluginRequest } from './new-plugin.js';

/** Use cases around plugins: look, and (through the installer) take in and put out. */
export interface PluginsApp extends PluginInstaller {
  /**
   * Every plugin that was found, also the rejected ones, with what was taken and what was dropped.
   * No plugin code is loaded.
   */
  report(): Promise<readonly PluginReport[]>;
  /**
   * What a new plugin would consist of; nothing is written. Throws KIT_USAGE and KIT_NOT_YET: see
   * `planPlugin`.
   */
  planNew(request: NewPluginRequest): Promise<NewPluginPlan>;
  /** Writes a plan; never overwrites. */
  writeNew(plan: NewPluginPlan): Promise<void>;
  /**
   * Page of an extension point, or of `commands`, in Markdown. Throws KIT_USAGE for another word.
   */
  explain(point: string): Promise<string>;
  /**
   * Checks a plugin in its directory; its code runs, its lifecycle scripts do not. Throws KIT_USAGE
   * for a folder that is not a plugin.
   */
  check(request: PluginCheckRequest): Promise<PluginCheckReport>;
}
