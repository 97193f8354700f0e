import type { PluginReport } from '../../domain/extension-points.js';
import type { PluginInstaller } from '../../domain/ports/plugins.js';

/** Use cases around plugins: look, and (through the installer) take in and put out. */
export interface PluginsApp extends PluginInstaller {
  /** Every plugin that was found, also the rejected ones, with what was taken and what was dropped. No plugin code is loaded. */
  report(): Promise<readonly PluginReport[]>;
}
