import type { Limits } from '../domain/limits.js';
import type { Spent } from './spent.js';

/** A governance limit that the next step would break, or that the last one broke. */
export interface LimitBreach {
  readonly limit: 'max_steps_per_agent' | 'max_steps_per_run' | 'max_cost_per_run_usd' | 'max_tokens_per_run';
  readonly limitValue: number;
  /** null: the cost so far is not known, and an unknown cost is never taken for a small one. */
  readonly actual: number | null;
}

export interface LimitRequest {
  readonly agentId: string | null;
  /**
   * Units that the step would consume (a model call or a harness run = 1); 0 = look at what was
   * spent.
   */
  readonly units: number;
  readonly spent: Spent;
}

/**
 * The first limit that `units` more steps of this agent would break; null = go on. Before a step
 * (`units` > 0) a run that has spent all it may is at its end; after one (`units` 0) it is only
 * when it spent more. A step that would consume nothing is not held up by the step limits.
 */
export function breachOf(limits: Limits, request: LimitRequest): LimitBreach | null {
  const { spent } = request;
  const byAgent = request.agentId === null ? 0 : spent.stepsOf(request.agentId);
  return (
    stepBreach('max_steps_per_agent', request.agentId === null ? null : limits.maxStepsPerAgent, {
      before: byAgent,
      units: request.units,
    }) ??
    stepBreach('max_steps_per_run', limits.maxStepsPerRun, { before: spent.steps, units: request.units }) ??
    costBreach(limits.maxCostPerRunUsd, spent.costUsd, request.units) ??
    tokenBreach(limits.maxTokensPerRun ?? null, spent.tokens, request.units)
  );
}

function stepBreach(
  limit: LimitBreach['limit'],
  max: number | null,
  count: { before: number; units: number },
): LimitBreach | null {
  if (max === null || count.units === 0) return null;
  const actual = count.before + count.units;
  return isAmount(max) && actual <= max ? null : { limit, limitValue: max, actual };
}

function costBreach(max: number | null, costUsd: number | null, units: number): LimitBreach | null {
  if (max === null) return null;
  const within = isAmount(max) && costUsd !== null && (units > 0 ? costUsd < max : costUsd <= max);
  return within ? null : { limit: 'max_cost_per_run_usd', limitValue: max, actual: costUsd };
}

function tokenBreach(max: number | null, tokens: number, units: number): LimitBreach | null {
  if (max === null) return null;
  const within = isAmount(max) && (units > 0 ? tokens < max : tokens <= max);
  return within ? null : { limit: 'max_tokens_per_run', limitValue: max, actual: tokens };
}

const isAmount = (value: number): boolean => Number.isFinite(value) && value >= 0;

/** What a run may still use, for a run that it asks for; null = there is no limit. */
export interface Budget {
  /** Where the cost so far is not known, nothing is left. */
  readonly usd: number | null;
  readonly tokens: number | null;
}

export const budgetLeft = (
  { maxCostPerRunUsd: maxUsd, maxTokensPerRun: maxTokens = null }: Limits,
  { costUsd, tokens }: Pick<Spent, 'costUsd' | 'tokens'>,
): Budget => ({
  usd: maxUsd === null ? null : costUsd === null ? 0 : Math.max(0, maxUsd - costUsd),
  tokens: maxTokens === null ? null : Math.max(0, maxTokens - tokens),
});

/**
 * The smaller of two bounds each: snapshot and live workspace, or local and forwarded budget
 * (docs/design/journal.md#live).
 */
export function stricterLimits(a: Limits, b: Limits): Limits {
  const bounds = { ...a, maxTokensPerRun: a.maxTokensPerRun ?? null, maxRemoteCalls: a.maxRemoteCalls ?? null };
  const names = [...new Set([...Object.keys(bounds), ...Object.keys(b)])] as (keyof Limits)[];
  // Each is the smaller of two of its own type; TypeScript cannot follow names.
  return Object.fromEntries(
    names.map((name) => [name, smaller(a[name] ?? null, b[name] ?? null)]),
  ) as unknown as Limits;
}

const smaller = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);
