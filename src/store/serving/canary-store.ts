import type { CanaryState, CanaryStore } from '../../domain/ports/serving.js';
import {
  COUNTERS_OF_VERSION,
  type CounterRecord,
  decodeOverride,
  decodePromotion,
  overrideTime,
  type PromotionRecord,
  promotionParams,
  resultParams,
} from '../canary-row.js';
import { all, get, type Program, type Programs, run } from '../program.js';
import {
  ADD_PROMOTION,
  ADD_RESULT,
  COUNT_ONCE,
  COUNTERS,
  NEWEST_OVERRIDE,
  PROMOTIONS,
  PROMOTIONS_OF,
} from '../sql/canary.js';

/** The counters of canary routes. */
export const createCanaryStore = ({ read, write }: Programs): CanaryStore => ({
  state: (routeKey) => read(() => stateOf(routeKey)),
  record: (routeKey, result) =>
    write('serving.canary', function* (at) {
      const times = { now: at(), oldest: at(-result.windowMs) };
      if ((yield* run(COUNT_ONCE, { routeKey, jobId: result.jobId })) > 0)
        yield* run(ADD_RESULT, resultParams(routeKey, result, times));
      return yield* stateOf(routeKey);
    }),
  override: (routeKey, promotion, expected) =>
    write('serving.canary', function* (now) {
      const newest = yield* get<PromotionRecord>(NEWEST_OVERRIDE, { routeKey });
      if ((newest?.at ?? null) !== expected) return false;
      const next = { n: (newest?.n ?? 0) + 1, at: overrideTime(now(), expected) };
      return (yield* run(ADD_PROMOTION, { ...promotionParams(routeKey, promotion), ...next })) > 0;
    }),
  promotions: async (topology, limit) => {
    const rows = await read(() =>
      topology === null
        ? all<PromotionRecord>(PROMOTIONS, { limit })
        : all<PromotionRecord>(PROMOTIONS_OF, { topology, limit }),
    );
    return rows.map(decodePromotion);
  },
});

function* stateOf(routeKey: string): Program<CanaryState> {
  const newest = yield* get<PromotionRecord>(NEWEST_OVERRIDE, { routeKey });
  const counters = yield* all<CounterRecord>(COUNTERS, { routeKey });
  return {
    counters: counters.map(COUNTERS_OF_VERSION.decode),
    override: newest === undefined ? null : decodeOverride(newest),
  };
}
