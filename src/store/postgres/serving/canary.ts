import type { CanaryPromotion, CanaryState, CanaryStore } from '../../../domain/ports/serving.js';
import {
  type CounterRecord,
  decodeCounters,
  decodeOverride,
  decodePromotion,
  overrideTime,
  type PromotionRecord,
  promotionParams,
  resultParams,
} from '../../canary-row.js';
import {
  ADD_PROMOTION,
  ADD_RESULT,
  COUNT_ONCE,
  COUNTERS,
  NEWEST_OVERRIDE,
  PROMOTIONS,
  PROMOTIONS_OF,
} from '../../sql/canary.js';
import type { PostgresDeps } from '../deps.js';
import type { SqlRunner } from '../sql-runner.js';
import type { Transaction } from '../transaction.js';

/** The counters of canary routes in PostgreSQL. */
export class PostgresCanaryStore implements CanaryStore {
  readonly #deps: PostgresDeps;

  constructor(deps: PostgresDeps) {
    this.#deps = deps;
  }

  state(routeKey: string): Promise<CanaryState> {
    return this.#deps.read((sql) => stateOf(sql, routeKey));
  }

  record(routeKey: string, result: Parameters<CanaryStore['record']>[1]): Promise<CanaryState> {
    const work = async (tx: Transaction): Promise<CanaryState> => {
      const times = { now: tx.now, oldest: tx.nowPlus(-result.windowMs) };
      if ((await tx.run(COUNT_ONCE, { routeKey, jobId: result.jobId })) > 0)
        await tx.run(ADD_RESULT, resultParams(routeKey, result, times));
      return stateOf(tx, routeKey);
    };
    return this.#deps.queue.run({ writes: ['serving.canary'], jobs: [], work });
  }

  override(routeKey: string, promotion: Omit<CanaryPromotion, 'at'>, expected: string | null): Promise<boolean> {
    const work = async (tx: Transaction): Promise<boolean> => {
      const newest = await tx.get<PromotionRecord>(NEWEST_OVERRIDE, { routeKey });
      if ((newest?.at ?? null) !== expected) return false;
      const at = overrideTime(tx.now, expected);
      return (
        (await tx.run(ADD_PROMOTION, { ...promotionParams(routeKey, promotion), n: (newest?.n ?? 0) + 1, at })) > 0
      );
    };
    return this.#deps.queue.run({ writes: ['serving.canary'], jobs: [], work });
  }

  async promotions(topology: string | null, limit: number): Promise<readonly CanaryPromotion[]> {
    const rows = await this.#deps.read((sql) =>
      topology === null
        ? sql.all<PromotionRecord>(PROMOTIONS, { limit })
        : sql.all<PromotionRecord>(PROMOTIONS_OF, { topology, limit }),
    );
    return rows.map(decodePromotion);
  }
}

async function stateOf(sql: Pick<SqlRunner, 'get' | 'all'> | Transaction, routeKey: string): Promise<CanaryState> {
  const newest = await sql.get<PromotionRecord>(NEWEST_OVERRIDE, { routeKey });
  const counters = await sql.all<CounterRecord>(COUNTERS, { routeKey });
  return { counters: counters.map(decodeCounters), override: newest === undefined ? null : decodeOverride(newest) };
}
