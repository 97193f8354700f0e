/** One call of a model with what was asked and what came back, as `kit debug` shows it: secrets masked, long texts cut. */
export interface KeptPrompt {
  readonly jobId: string;
  /** Key of the step that made the call. */
  readonly stepKey: string;
  readonly agentId: string;
  /** Of a call that a skill made; else null. */
  readonly skillId: string | null;
  readonly purpose: 'turn' | 'correction' | 'skill';
  readonly provider: string;
  readonly model: string;
  /** Which try of the step, from 1: a call that failed for a passing reason is made again. */
  readonly tries: number;
  /** ISO 8601. */
  readonly askedAt: string;
  readonly durationMs: number;
  /** JSON text: `messages`, the names of `tools`, and the settings of the request. */
  readonly prompt: string;
  /** JSON text: the parts of the answer, or the failure. */
  readonly answer: string;
}

/** How much is kept; whichever bound is reached first, the oldest go. */
export interface PromptBounds {
  /** Calls; >= 1. */
  readonly count: number;
  /** UTF-8 bytes of all that is kept; the newest call stays whatever its size. */
  readonly bytes: number;
  readonly ageMs: number;
}

/**
 * The newest calls of models of a store, whoever made them. It is for people who look for a fault: nothing depends on it, so a call may be missing
 * after a crash, and no fault point stands at its writes. It goes with its run, and with the results of its run (`storage.journal_days`).
 */
export interface PromptBuffer {
  /** Adds calls in their order and drops what the bounds leave no room for. */
  keep(prompts: readonly KeptPrompt[], bounds: PromptBounds): Promise<void>;
  /** Newest first, of one run or (null) of all. */
  list(ask: { readonly jobId: string | null; readonly limit: number }): Promise<readonly KeptPrompt[]>;
  /** Calls that are kept. */
  count(): Promise<number>;
}
