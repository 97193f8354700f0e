import { KitError } from '../domain/errors.js';
import type { Limits } from '../domain/workspace.js';

/** One model that the run may call, and whether its price is known (a free model has the known price 0). */
export interface PricedUse {
  /** Agent id, or `skill:<id>`. */
  readonly user: string;
  readonly provider: string;
  readonly model: string;
  readonly priced: boolean;
}

/** Refuses a run before its first step when a limit is no number to count with. Throws KIT_LIMIT_INVALID. */
export function assertLimits(limits: Limits): void {
  const written: readonly (readonly [string, number | null, boolean])[] = [
    ['max_steps_per_agent', limits.maxStepsPerAgent, true],
    ['max_steps_per_run', limits.maxStepsPerRun, true],
    ['max_cost_per_run_usd', limits.maxCostPerRunUsd, false],
  ];
  for (const [name, value, whole] of written) {
    if (value === null) continue;
    if (Number.isFinite(value) && value >= 0 && (!whole || Number.isInteger(value))) continue;
    throw new KitError('KIT_LIMIT_INVALID', `governance.limits.${name} is ${value}, which is no ${whole ? 'whole number' : 'amount'} of 0 or more`, {
      data: { limit: name, value: String(value) },
    });
  }
}

/** A cost limit can only be kept where costs are known. Throws KIT_PRICE_UNKNOWN before the first call. */
export function assertPriced(limits: Limits, uses: readonly PricedUse[]): void {
  if (limits.maxCostPerRunUsd === null) return;
  const unpriced = uses.filter((use) => !use.priced);
  if (unpriced.length === 0) return;
  const names = unpriced.map((use) => `${use.provider}/${use.model} (${use.user})`);
  throw new KitError('KIT_PRICE_UNKNOWN', `max_cost_per_run_usd is set, but the price is unknown of ${[...new Set(names)].join(', ')}`, {
    data: { unpriced: unpriced.map(({ user, provider, model }) => ({ user, provider, model })) },
  });
}
