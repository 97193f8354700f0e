/** Tokens and cost of a run or a part of it. */
export interface RunUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly reasoningTokens: number;
  /** Sum of what is known, in USD. */
  readonly knownCostUsd: number;
  /** Calls whose cost nobody knows; above 0 the true cost is at least `knownCostUsd`. */
  readonly unknownCosts: number;
}

/**
 * What a run that has ended comes to, counted once over its log: what lists of runs show of it
 * beside its row. Costs in USD; above 0 `unknownCosts` the true cost is at least `knownCostUsd`.
 */
export interface RunFigures {
  /** Activations of agents. */
  readonly agents: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** Failed and denied calls, agents that did not end well, gates that nobody was asked about. */
  readonly issues: number;
  readonly usage: RunUsage;
}
