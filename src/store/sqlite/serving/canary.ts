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
import { isoAt, type SqliteDeps } from '../deps.js';
import type { SqlRunner } from '../sql-runner.js';

/** The counters of canary routes in SQLite. */
export class SqliteCanaryStore implements CanaryStore {
  readonly #deps: SqliteDeps;

  constructor(deps: SqliteDeps) {
    this.#deps = deps;
  }

  state(routeKey: string): Promise<CanaryState> {
    return this.#deps.read((sql) => stateOf(sql, routeKey));
  }

  record(routeKey: string, result: Parameters<CanaryStore['record']>[1]): Promise<CanaryState> {
    return this.#deps.queue.run(['serving.canary'], (sql) => {
      const nowMs = this.#deps.clock.now();
      const times = { now: isoAt(nowMs), oldest: isoAt(nowMs - result.windowMs) };
      if (sql.run(COUNT_ONCE, { routeKey, jobId: result.jobId }) > 0)
        sql.run(ADD_RESULT, resultParams(routeKey, result, times));
      return stateOf(sql, routeKey);
    });
  }

  override(routeKey: string, promotion: Omit<CanaryPromotion, 'at'>, expected: string | null): Promise<boolean> {
    return this.#deps.queue.run(['serving.canary'], (sql) => {
      const newest = sql.get<PromotionRecord>(NEWEST_OVERRIDE, { routeKey });
      if ((newest?.at ?? null) !== expected) return false;
      const at = overrideTime(isoAt(this.#deps.clock.now()), expected);
      return sql.run(ADD_PROMOTION, { ...promotionParams(routeKey, promotion), n: (newest?.n ?? 0) + 1, at }) > 0;
    });
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

function stateOf(sql: SqlRunner, routeKey: string): CanaryState {
  const newest = sql.get<PromotionRecord>(NEWEST_OVERRIDE, { routeKey });
  return {
    counters: sql.all<CounterRecord>(COUNTERS, { routeKey }).map(decodeCounters),
    override: newest === undefined ? null : decodeOverride(newest),
  };
}
