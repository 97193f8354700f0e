/**
 * Bounds of one run or agent: steps are counted, cost is in USD; null = no bound. `maxStepsPerRun`
 * defaults to 500.
 */
export interface Limits {
  readonly maxStepsPerAgent: number | null;
  readonly maxStepsPerRun: number;
  readonly maxCostPerRunUsd: number | null;
  /** Tokens in and out, cached ones too. Absent, in what was frozen before: null. */
  readonly maxTokensPerRun?: number | null;
  /** Calls of agents that run elsewhere. Absent or null: 50. */
  readonly maxRemoteCalls?: number | null;
}

/** What whoever asks for a run allows it; the stricter of this and the workspace's limit holds. */
export interface AskedLimits {
  /** Model calls and harness runs at most. Absent: the workspace's. */
  readonly maxSteps?: number;
}

/** Null: whoever asks bounds nothing. */
export function askedLimits({
  maxSteps,
  asked,
}: AskedLimits & { readonly asked?: { readonly maxCostUsd?: number } }): Limits | null {
  if (maxSteps === undefined && asked?.maxCostUsd === undefined) return null;
  return {
    maxStepsPerAgent: null,
    maxStepsPerRun: maxSteps ?? Number.POSITIVE_INFINITY,
    maxCostPerRunUsd: asked?.maxCostUsd ?? null,
  };
}
