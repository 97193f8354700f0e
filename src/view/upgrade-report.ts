import type { BreakingChange } from '../domain/breaking-changes.js';

/** What a package of kit says of itself; what it does not say is null. */
export interface KitFacts {
  readonly version: string;
  /** Interface level. */
  readonly level: string | null;
  /** Numbers of the journals whose runs it goes on with. */
  readonly engines: readonly number[] | null;
  /** Schema version of the stores that it opens, and all before. */
  readonly store: number | null;
  /** Version of the plugin API. */
  readonly pluginApi: string | null;
}

/** How kit came here. `manual`: an upgrade is not kit's to make; `how` says whose, and how. */
export type InstallKind =
  | {
      readonly kind: 'npm-global' | 'npm-local' | 'pnpm-global' | 'pnpm-local' | 'yarn-global' | 'yarn-local';
      /** Without the shell; `{target}` is the package with its version. */
      readonly command: readonly [string, ...string[]];
      readonly cwd: string;
      /** Where the program lies afterwards. */
      readonly program: string;
    }
  | { readonly kind: 'npx' | 'pnpm-store' | 'container' | 'checkout' | 'unknown'; readonly how: string };

/** A change of the table, and whether it lies between here and the target. */
export interface ListedChange extends BreakingChange {
  readonly isBetween: boolean;
}

/** A plugin of this user. */
export interface PluginFit {
  readonly name: string;
  readonly version: string;
  /** The range of the plugin API that it names; null = it names none. */
  readonly range: string | null;
  /** Null: nobody can tell. */
  readonly fits: boolean | null;
}

/** What of a workspace the target cannot go on with. */
export interface Stranded {
  readonly workspace: string;
  readonly problem: string;
}

/** What an upgrade would be. */
export interface UpgradePlan {
  /** Of the package. */
  readonly name: string;
  readonly installed: KitFacts;
  readonly target: KitFacts;
  readonly move: 'upgrade' | 'downgrade' | 'none';
  readonly install: InstallKind;
  readonly changes: readonly ListedChange[];
  readonly plugins: readonly PluginFit[];
  readonly stranded: readonly Stranded[];
}

/** What came of it. */
export interface UpgradeOutcome {
  /** Of the installer; 0 when the new kit said its version. */
  readonly exitCode: number;
  /** The version that is there now. */
  readonly version: string;
  /** The old version was put back. */
  readonly isRestored: boolean;
  /** The end of what the installer said. */
  readonly said: string;
}
