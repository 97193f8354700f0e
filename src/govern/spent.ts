import type { Usage } from '../domain/job.js';
import type { StepRow } from '../domain/journal.js';
import { ExactSum } from '../lib/exact-sum.js';

/** What of a row counts; it does so from the moment it is started: so a unit is reserved. */
export type CountedRow = Pick<StepRow, 'agentId' | 'units' | 'usage'>;

/** What a run has consumed: a fold over its rows (docs/design/journal.md#counters). */
export interface Spent {
  readonly steps: number;
  stepsOf(agentId: string): number;
  /** null as soon as one row reports usage without a known cost. */
  readonly costUsd: number | null;
  /** In and out, of all that reported any. */
  readonly tokens: number;
}

/** What rows cost together, and how many there are whose cost is not known. */
interface Cost {
  readonly known: ExactSum;
  readonly unknown: number;
}

/**
 * The fold over rows, kept while they start and end: what it says never depends on the order in
 * which they came, so a resumed run, which begins with all of its rows, has the same counts.
 */
export class SpentSoFar implements Spent {
  #steps = 0;
  readonly #byAgent = new Map<string, number>();
  #tokens = 0;
  #cost: Cost = { known: new ExactSum(), unknown: 0 };

  constructor(rows: Iterable<CountedRow>) {
    for (const row of rows) this.replace(undefined, row);
  }

  get steps(): number {
    return this.#steps;
  }

  stepsOf(agentId: string): number {
    return this.#byAgent.get(agentId) ?? 0;
  }

  get costUsd(): number | null {
    return costUsdOf(this.#cost);
  }

  get tokens(): number {
    return this.#tokens;
  }

  /** What it will be when a row that reports no usage yet reports this. */
  after(usage: Usage): Spent {
    const costUsd = costUsdOf(costWith(this.#cost, usage, 1));
    const tokens = this.#tokens + tokensOf(usage);
    return { steps: this.#steps, stepsOf: (agentId) => this.stepsOf(agentId), costUsd, tokens };
  }

  /** A row that came to be, or one that took the place of `before`. */
  replace(before: CountedRow | undefined, after: CountedRow): void {
    if (before !== undefined) this.#count(before, -1);
    this.#count(after, 1);
  }

  #count({ agentId, units, usage }: CountedRow, sign: 1 | -1): void {
    this.#steps += sign * units;
    if (agentId !== null) this.#byAgent.set(agentId, this.stepsOf(agentId) + sign * units);
    if (usage === null) return;
    this.#cost = costWith(this.#cost, usage, sign);
    this.#tokens += sign * tokensOf(usage);
  }
}

/** What is not a count was told by nobody. */
function tokensOf({ inputTokens, outputTokens }: Usage): number {
  const tokens = inputTokens + outputTokens;
  return Number.isFinite(tokens) && tokens > 0 ? tokens : 0;
}

/**
 * A reported cost that is not an amount (negative, NaN, infinite) is unknown: it must not buy more
 * steps.
 */
function costWith({ known, unknown }: Cost, { costUsd }: Usage, sign: 1 | -1): Cost {
  return costUsd === null || !Number.isFinite(costUsd) || costUsd < 0
    ? { known, unknown: unknown + sign }
    : { known: known.plus(sign * costUsd), unknown };
}

function costUsdOf({ known, unknown }: Cost): number | null {
  const costUsd = unknown > 0 ? Number.NaN : known.value;
  return Number.isFinite(costUsd) ? costUsd : null;
}
