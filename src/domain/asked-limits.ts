import type { Limits } from './workspace.js';

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
