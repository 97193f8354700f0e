import type { PluginsApp } from './plugins/plugins-app.js';

/**
 * The list of use cases: what `this.kit` of a command gives. The composition in `boot/app.ts` imports each part when it is
 * first called, so that asking for `this.kit` costs nothing.
 */
export interface App {
  readonly plugins: PluginsApp;
  /** Closes what was opened: stores, contributions, files. Idempotent. */
  close(): Promise<void>;
}
