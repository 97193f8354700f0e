import type { ContributionInfo, PluginContext, Secrets } from '../domain/extension-points.js';
import type { OutboundFetch } from '../domain/ports/outbound.js';
import type { Vault } from '../domain/ports/vault.js';
import type { PluginCandidate } from './registration.js';

/** What is done around code of plugins that are not kit's own. */
export interface Containment {
  /** Before the first code of one is loaded. */
  begin(): void;
  /**
   * What `work` does, and everything that it leaves behind, counts as the plugin's. A call of a
   * plugin that has ended the process never settles: no run fails by it.
   */
  within<T>(plugin: string, work: () => T): T;
}

/** What the host is made of; everything that touches the world arrives here. */
export interface HostParts extends Pick<PluginContext, 'clock' | 'log' | 'fetch'> {
  /** Addresses that others name; judged. */
  readonly outbound: OutboundFetch;
  /** What a plugin of this name keeps. */
  readonly vaultOf: (plugin: string) => Vault;
  /** The one credential service, narrowed to what a contribution declares. */
  readonly secretsFor: (info: ContributionInfo, env: readonly string[], secretEnv: readonly string[]) => Secrets;
  /**
   * Throws KIT_PLUGIN_INTEGRITY. Asked before a module of a plugin that is not bundled is imported.
   */
  readonly verifyIntegrity: (plugin: { readonly name: string; readonly root: string }) => Promise<void>;
  /** Absent: in a process that is not kit's own, such as a test. */
  readonly containment?: Containment;
  /** The foreign plugins of this user as they are installed now. Absent: those of the start. */
  readonly foreignNow?: () => Promise<readonly PluginCandidate[]>;
  readonly importModule: (url: string) => Promise<Readonly<Record<string, unknown>>>;
}
