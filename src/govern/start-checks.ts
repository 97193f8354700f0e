import type { AgentNode } from '../domain/agent-node.js';
import { KitError } from '../domain/errors.js';
import type { JsonObject } from '../domain/json.js';
import type { Limits } from '../domain/limits.js';
import type { RunSnapshot } from '../domain/snapshot.js';

/**
 * One model that the run may call, and whether its price is known (a free model has the known price
 * 0).
 */
export interface PricedUse {
  /** Agent id, or `skill:<id>`. */
  readonly user: string;
  readonly provider: string;
  readonly model: string;
  readonly priced: boolean;
}

/**
 * Refuses a run before its first step when a limit is not a number to count with. Throws
 * KIT_LIMIT_INVALID.
 */
export function assertLimits(limits: Limits): void {
  const written: readonly (readonly [string, number | null, boolean])[] = [
    ['max_steps_per_agent', limits.maxStepsPerAgent, true],
    ['max_steps_per_run', limits.maxStepsPerRun, true],
    ['max_cost_per_run_usd', limits.maxCostPerRunUsd, false],
    ['max_tokens_per_run', limits.maxTokensPerRun ?? null, true],
    ['max_remote_calls', limits.maxRemoteCalls ?? null, true],
  ];
  for (const [name, value, whole] of written) {
    if (value === null) continue;
    if (Number.isFinite(value) && value >= 0 && (!whole || Number.isInteger(value))) continue;
    throw new KitError(
      'KIT_LIMIT_INVALID',
      `governance.limits.${name} is ${value}, which is no ${whole ? 'whole number' : 'amount'} of 0 or more`,
      {
        data: { limit: name, value: String(value) },
      },
    );
  }
}

/**
 * A cost limit can only be kept where costs are known. Throws KIT_PRICE_UNKNOWN before the first
 * call.
 */
export function assertPriced(limits: Limits, uses: readonly PricedUse[]): void {
  if (limits.maxCostPerRunUsd === null) return;
  const unpriced = uses.filter((use) => !use.priced);
  if (unpriced.length === 0) return;
  const names = unpriced.map((use) => `${use.provider}/${use.model} (${use.user})`);
  throw new KitError(
    'KIT_PRICE_UNKNOWN',
    `max_cost_per_run_usd is set, but the price is unknown of ${[...new Set(names)].join(', ')}`,
    {
      hint: 'Check the name of the model, state `prices` of its provider, or remove max_cost_per_run_usd.',
      data: { unpriced: unpriced.map(({ user, provider, model }) => ({ user, provider, model })) },
    },
  );
}

/**
 * A harness whose adapter says `telemetry_grade: opaque` never tells what it uses: no limit of cost
 * or tokens over it can be kept, neither that of the run nor its own
 * (`executor.config.budget.max_cost_usd`).
 * Throws KIT_PRICE_UNKNOWN before the first step.
 */
export function assertReported(of: {
  readonly limits: Limits;
  /** Everybody who may work in the run, reviewers too. */
  readonly agents: readonly AgentNode[];
  readonly adapters: RunSnapshot['adapters'];
}): void {
  for (const { id: agent, executor } of of.agents) {
    if (executor.kind !== 'harness' || of.adapters[executor.ref]?.spec.telemetry_grade !== 'opaque') continue;
    const limit = runLimit(of.limits) ?? ownCostLimit(executor.config);
    if (limit === null) continue;
    throw new KitError(
      'KIT_PRICE_UNKNOWN',
      `${limit} is set, but ${agent} runs on ${executor.ref}, whose adapter says \`telemetry_grade: opaque\``,
      {
        hint: `Remove ${limit}, or use a harness that reports what it uses.`,
        data: { agent, adapter: executor.ref, limit },
      },
    );
  }
}

function runLimit({ maxCostPerRunUsd, maxTokensPerRun = null }: Limits): string | null {
  if (maxCostPerRunUsd !== null) return 'max_cost_per_run_usd';
  return maxTokensPerRun === null ? null : 'max_tokens_per_run';
}

function ownCostLimit({ budget }: JsonObject): string | null {
  const isSet =
    typeof budget === 'object' && budget !== null && 'max_cost_usd' in budget && budget.max_cost_usd !== undefined;
  return isSet ? 'executor.config.budget.max_cost_usd' : null;
}
