// How versions share the traffic of a topology, as `toWireCanary` makes it.
import type { CanaryReport } from '../canary-report.js';
import { toWire } from './codec.js';
import {
  among,
  arrayOf,
  BOOLEAN,
  closed,
  described,
  type HeldOf,
  held,
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
const CONDITIONS = closed({ window_minutes: held('windowMs', NUMBER, 60_000), conditions: arrayOf(CONDITION) });

const VERSION = closed({
  version: STRING,
  weight: INTEGER,
  metrics: closed({
    total_runs: held('runs', INTEGER),
    failed_runs: held('failed', INTEGER),
    error_rate: nullable(NUMBER),
    avg_drift: held('meanDrift', nullable(NUMBER)),
    window_start: nullable(STRING),
  }),
  promote_when: {
    anyOf: [NULL, CONDITIONS],
    description: 'Each condition beside what was measured; null: nothing promotes this version by itself.',
  } as Schema<TypeOf<typeof CONDITIONS> | null, HeldOf<typeof CONDITIONS> | null>,
});

const ROUTE = closed({ topology: STRING, override: held('isOverridden', BOOLEAN), versions: arrayOf(VERSION) });
export type WireCanaryRoute = TypeOf<typeof ROUTE>;

const COUNTERS = closed({
  version: STRING,
  total_runs: held('runs', INTEGER),
  failed_runs: held('failed', INTEGER),
  window_start: STRING,
});

const PROMOTION = closed({
  topology: STRING,
  weights: WEIGHTS,
  old_weights: WEIGHTS,
  reason: among(['promote', 'rollback', 'criteria']),
  by: STRING,
  timestamp: held('at', TIMESTAMP),
  metrics: held('counters', arrayOf(COUNTERS)),
});

/** `GET /canary`. */
export const CANARY = closed({ enabled: BOOLEAN, routes: arrayOf(ROUTE), promotions: arrayOf(PROMOTION) });
export type WireCanary = TypeOf<typeof CANARY>;

export const PROMOTED = closed({ promoted: TRUE, topology: STRING, version: STRING, weights: WEIGHTS });
export const ROLLED_BACK = closed({ rolled_back: TRUE, topology: STRING, weights: WEIGHTS });

/** Four decimals. */
const toDigits = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(4)));

/** Canary routes, as CLI and HTTP show them; rates have four decimals (docs/canary.md). */
export const toWireCanary = ({ routes, promotions }: CanaryReport): WireCanary =>
  toWire(CANARY, {
    enabled: routes.length > 0,
    routes: routes.map(({ versions, ...route }) => ({
      ...route,
      versions: versions.map((version) => {
        const { errorRate, meanDrift } = version;
        const metrics = { ...version, errorRate: toDigits(errorRate), meanDrift: toDigits(meanDrift) };
        return { ...version, metrics };
      }),
    })),
    promotions,
  });
