/** How one claim is executed. */
export interface RunJobOptions {
  /**
   * When the claim was asked for, by this process's clock: it may have stood still since. Default:
   * now.
   */
  readonly askedAtMs?: number;
  /** Second Ctrl-C: ends everything at once and writes `stopped`. */
  readonly abort?: AbortSignal;
  /**
   * This process has nothing to do but this run: it keeps it while a provider is down, and goes on
   * when it may be up. Default: false, the run is let go of and claimed anew
   * (docs/design/journal.md#outages).
   */
  readonly rests?: boolean;
  /** A stop was asked for in this process: it is looked for at once. */
  readonly stop?: AbortSignal;
  /** Drain: leaves the run at the next boundary and releases its lease. */
  readonly drain?: AbortSignal;
  /** The lease was given back meanwhile: ends everything of the run at once and writes nothing. */
  readonly leave?: AbortSignal;
}
