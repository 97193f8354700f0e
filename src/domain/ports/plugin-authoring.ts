/**
 * How one check of a plugin came out. `skipped`: it could not be made, and the message says why.
 */
export type CheckState = 'passed' | 'failed' | 'warned' | 'skipped';

/** One thing that `kit plugins check` looked at. */
export interface PluginCheckLine {
  /**
   * What was checked: `manifest`, `api`, `ids`, `file`, `schema`, `published`, `not taken`,
   * `commands`, `module`, `create`, `contract`, `tests`.
   */
  readonly check: string;
  /** The file, contribution or key it is about. */
  readonly where: string;
  readonly state: CheckState;
  /** A sentence: what was seen. '' when there is nothing to say. */
  readonly message: string;
  /** What to do; null unless the check failed or warned. */
  readonly hint: string | null;
  /** Milliseconds of loading or creating; null where nothing was timed. */
  readonly ms: number | null;
}

/** Everything that was checked of one plugin. */
export interface PluginCheckReport {
  readonly name: string;
  readonly version: string;
  /** Absolute directory of the plugin. */
  readonly root: string;
  /** False when a check failed; warnings leave it true. */
  readonly ok: boolean;
  readonly checks: readonly PluginCheckLine[];
}

/** What is checked besides the manifest, the modules and the contracts. */
export interface PluginCheckRequest {
  readonly directory: string;
  /**
   * Also run the plugin's own tests (`test/*.test.js`) with `node --test`, the exports of the
   * running kit mapped.
   */
  readonly tests: boolean;
  /** Write `oclif.manifest.json` from the commands as they are now, before it is checked. */
  readonly writeManifest: boolean;
}
