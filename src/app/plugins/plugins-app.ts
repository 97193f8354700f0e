import type { PluginReport } from '../../domain/extension-points.js';

/** Use cases around plugins. */
export interface PluginsApp {
  /** Every plugin that was found, also the rejected ones, with what was taken and what was dropped. No plugin code is loaded. */
  report(): Promise<readonly PluginReport[]>;
}
