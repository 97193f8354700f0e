import type { ContributionInfo } from '../extension-points.js';

/** What was accepted at install. */
export interface LockEntry {
  readonly version: string;
  /** SHA-512 (hex) over the package's own files, as they were shown. */
  readonly sha512: string;
  readonly effects: readonly string[];
  readonly commands: readonly string[];
  /** Directory of a linked plugin, whose files may change; absent: its files lie in the tree. */
  readonly linked?: string;
}

/** What a person decides on before a plugin is taken in. Nothing of it has run. */
export interface PluginProposal {
  readonly action: 'install' | 'link' | 'update';
  readonly name: string;
  readonly version: string;
  /** What npm is asked for, or the directory that is linked. */
  readonly spec: string;
  /** SHA-512 (hex) over the files that were looked at; accepting installs these and no others. */
  readonly sha512: string;
  readonly effects: ContributionInfo['effects'];
  /** `<point> <id>: <title>`, one a contribution. */
  readonly contributions: readonly string[];
  /** Ids and aliases, also hidden ones, of the commands that are taken. */
  readonly commands: readonly string[];
  /** Hooks, nested plugins, shadowing commands and lifecycle scripts: not taken, never run. */
  readonly dropped: readonly string[];
  /**
   * Installed files, of any package, that are not those that were accepted: `<path> was changed`.
   * Accepting takes them in as they are.
   */
  readonly changedFiles: readonly string[];
  /** What was accepted before; null = nothing. */
  readonly previous: LockEntry | null;
}

/** Takes plugins in and puts them out. Lifecycle scripts of packages never run. */
export interface PluginInstaller {
  /**
   * Fetches into a directory of its own and looks, without importing. `spec`: package name with an
   * optional tag or range, tarball path, URL. Throws KIT_USAGE, KIT_PLUGIN_INSTALL_FAILED,
   * KIT_PLUGIN_MANIFEST_INVALID, KIT_PLUGIN_API_MISMATCH, KIT_PLUGIN_LOAD_FAILED,
   * KIT_PLUGIN_DUPLICATE_ID.
   */
  proposeInstall(spec: string): Promise<PluginProposal>;
  /** Looks at a directory that stays where it is. Same codes. */
  proposeLink(directory: string): Promise<PluginProposal>;
  /**
   * The version that the recorded source offers now. Throws KIT_PLUGIN_UNKNOWN for a plugin that
   * was not installed.
   */
  proposeUpdate(name: string): Promise<PluginProposal>;
  /** Names that `proposeUpdate` takes. */
  updatable(): Promise<readonly string[]>;
  /**
   * Installs and writes the integrity lock. Gives the other packages that changed with it, mostly
   * dependencies. Throws KIT_PLUGIN_INTEGRITY when other files arrived than those proposed.
   */
  accept(proposal: PluginProposal): Promise<readonly string[]>;
  /** Removes plugin and lock entry. Throws KIT_PLUGIN_UNKNOWN. */
  uninstall(name: string): Promise<void>;
}
