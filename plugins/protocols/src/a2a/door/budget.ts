import type { JsonObject } from '@kit-run/kit/plugin';
import { badParams } from '../rpc/failure.js';
import { memberOf, objectOf } from '../rpc/members.js';

/** What a caller still allows for the run. Absent members bound nothing. */
export interface Budget {
  readonly costUsd?: number;
  /** Turns of models in the whole run. */
  readonly turns?: number;
  /** Time of execution; a parked run uses none of it. */
  readonly wallClockMs?: number;
}

const WHERE = 'message.metadata.swarmkit.budget';

function amountOf(budget: JsonObject, name: string): number | undefined {
  const value = memberOf(budget, name);
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0)
    throw badParams(`${WHERE}.${name} is not a number above 0`);
  return value;
}

/** `metadata.swarmkit.budget` of a message. Throws -32602. */
export function budgetOf(swarmkit: JsonObject): Budget {
  const budget = objectOf(swarmkit, 'budget', 'message.metadata.swarmkit');
  if (budget === undefined) return {};
  const [usd, turns, minutes] = ['max_cost_usd', 'max_turns', 'max_wall_clock_minutes'].map((name) =>
    amountOf(budget, name),
  );
  if (turns !== undefined && turns < 1) throw badParams(`${WHERE}.max_turns allows no turn`);
  return {
    ...(usd === undefined ? {} : { costUsd: usd }),
    ...(turns === undefined ? {} : { turns: Math.floor(Math.min(turns, Number.MAX_SAFE_INTEGER)) }),
    // A timer of ten years is none; a number that does not fit one would fire at once.
    ...(minutes === undefined ? {} : { wallClockMs: Math.ceil(Math.min(minutes, 5_000_000) * 60_000) }),
  };
}
