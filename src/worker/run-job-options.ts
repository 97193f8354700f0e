/** How one claim is executed. */
export interface RunJobOptions {
  /**
   * When the claim was asked for, by this process's clock: it may have stood still since. Default:
   * now.
   */
  readonly askedAtMs?: number;
  /** Second Ctrl-C: ends everything at once and writes `stopped`. */
  readonly abort?: AbortSignal;
  /** Drain: leaves the run at the next boundary and releases its lease. */
  readonly drain?: AbortSignal;
  /** The lease was given back meanwhile: ends everything of the run at once and writes nothing. */
  readonly leave?: AbortSignal;
}
