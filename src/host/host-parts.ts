import type { ContributionInfo, Secrets } from '../domain/extension-points.js';
import type { Clock, Log } from '../domain/ports/system.js';

/** What the host is made of; everything that touches the world arrives here. */
export interface HostParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: typeof globalThis.fetch;
  /** The one credential service, narrowed to what a contribution declares. */
  readonly secretsFor: (info: ContributionInfo, env: readonly string[]) => Secrets;
  /**
   * Throws KIT_PLUGIN_INTEGRITY. Asked before a module of a plugin that is not bundled is imported.
   */
  readonly verifyIntegrity: (plugin: { readonly name: string; readonly root: string }) => Promise<void>;
  readonly importModule: (url: string) => Promise<Readonly<Record<string, unknown>>>;
}
