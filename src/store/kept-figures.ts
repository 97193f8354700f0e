import type { Job } from '../domain/job.js';
import type { RunFigures } from '../domain/run-figures.js';
import { isOver } from './family.js';

/**
 * Numbers alone, for every run has them: the claim that they were counted after (a run that went on
 * has come to more since), agents, calls of models and tools, issues, then the usage in the order
 * of its type.
 */
type Kept = readonly [number, number, number, number, number, number, number, number, number, number, number];

/** null = nothing is known, and nothing of an earlier end stays. */
export function encodeFigures(attempt: number, figures: RunFigures | undefined): string | null {
  if (figures === undefined) return null;
  const { agents, modelCalls, toolCalls, issues, usage } = figures;
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, knownCostUsd, unknownCosts } = usage;
  const spent = [inputTokens, outputTokens, cachedInputTokens, reasoningTokens, knownCostUsd, unknownCosts] as const;
  const kept: Kept = [attempt, agents, modelCalls, toolCalls, issues, ...spent];
  return JSON.stringify(kept);
}

/** The figures of a row that says how its run ended; {} where they are those of an earlier end. */
export function decodeFigures(row: {
  readonly status: string;
  readonly attempt: number;
  readonly figures: string | null;
}): Pick<Job, 'figures'> {
  if (row.figures === null || !isOver(row)) return {};
  const kept = JSON.parse(row.figures) as Kept; // only `encodeFigures` writes this column
  const [attempt, agents, modelCalls, toolCalls, issues, ...spent] = kept;
  if (attempt !== row.attempt) return {};
  const [inputTokens, outputTokens, cachedInputTokens, reasoningTokens, knownCostUsd, unknownCosts] = spent;
  const usage = { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, knownCostUsd, unknownCosts };
  return { figures: { agents, modelCalls, toolCalls, issues, usage } };
}
