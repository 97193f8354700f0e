// How versions share the traffic of a topology, as `toWireCanary` makes it.
import {
  among,
  arrayOf,
  BOOLEAN,
  closed,
  described,
  INTEGER,
  NULL,
  NUMBER,
  nullable,
  recordOf,
  type Schema,
  STRING,
  TIMESTAMP,
  TRUE,
  type TypeOf,
} from './words.js';

const WEIGHTS = described(recordOf(INTEGER), 'Version -> weight; they sum to 100.');

const CONDITION = closed({
  name: among(['min_runs', 'error_rate_below', 'drift_below']),
  bound: NUMBER,
  value: nullable(NUMBER),
  met: BOOLEAN,
  note: STRING,
});
const CONDITIONS = closed({ window_minutes: NUMBER, conditions: arrayOf(CONDITION) });

const VERSION = closed({
  version: STRING,
  weight: INTEGER,
  metrics: closed({
    total_runs: INTEGER,
    failed_runs: INTEGER,
    error_rate: nullable(NUMBER),
    avg_drift: nullable(NUMBER),
    window_start: nullable(STRING),
  }),
  promote_when: {
    anyOf: [NULL, CONDITIONS],
    description: 'Each condition beside what was measured; null: nothing promotes this version by itself.',
  } as Schema<TypeOf<typeof CONDITIONS> | null>,
});

const ROUTE = closed({ topology: STRING, override: BOOLEAN, versions: arrayOf(VERSION) });
export type WireCanaryRoute = TypeOf<typeof ROUTE>;

const PROMOTION = closed({
  topology: STRING,
  weights: WEIGHTS,
  old_weights: WEIGHTS,
  reason: among(['promote', 'rollback', 'criteria']),
  by: STRING,
  timestamp: TIMESTAMP,
  metrics: arrayOf(closed({ version: STRING, total_runs: INTEGER, failed_runs: INTEGER, window_start: STRING })),
});

/** `GET /canary`. */
export const CANARY = closed({ enabled: BOOLEAN, routes: arrayOf(ROUTE), promotions: arrayOf(PROMOTION) });
export type WireCanary = TypeOf<typeof CANARY>;

export const PROMOTED = closed({ promoted: TRUE, topology: STRING, version: STRING, weights: WEIGHTS });
export const ROLLED_BACK = closed({ rolled_back: TRUE, topology: STRING, weights: WEIGHTS });
