import { closed, NUMBER, nullable, STRING } from '../shared/schema.js';

const weights = {
  type: 'object',
  additionalProperties: { type: 'integer' },
  description: 'Version -> weight; they sum to 100.',
} as const;

const condition = closed({
  name: { enum: ['min_runs', 'error_rate_below', 'drift_below'] },
  bound: NUMBER,
  value: nullable(NUMBER),
  met: { type: 'boolean' },
  note: STRING,
});

const version = closed({
  version: STRING,
  weight: { type: 'integer' },
  metrics: closed({
    total_runs: { type: 'integer' },
    failed_runs: { type: 'integer' },
    error_rate: nullable(NUMBER),
    avg_drift: nullable(NUMBER),
    window_start: nullable(STRING),
  }),
  promote_when: {
    anyOf: [{ type: 'null' }, closed({ window_minutes: NUMBER, conditions: { type: 'array', items: condition } })],
    description: 'Each condition beside what was measured; null: nothing promotes this version by itself.',
  },
});

const promotion = closed({
  topology: STRING,
  weights,
  old_weights: weights,
  reason: { enum: ['promote', 'rollback', 'criteria'] },
  by: STRING,
  timestamp: { type: 'string', format: 'date-time' },
  metrics: {
    type: 'array',
    items: closed({
      version: STRING,
      total_runs: { type: 'integer' },
      failed_runs: { type: 'integer' },
      window_start: STRING,
    }),
  },
});

/** `GET /canary`. */
export const CANARY_REPORT = closed({
  enabled: { type: 'boolean' },
  routes: {
    type: 'array',
    items: closed({ topology: STRING, override: { type: 'boolean' }, versions: { type: 'array', items: version } }),
  },
  promotions: { type: 'array', items: promotion },
});

export const PROMOTED = closed({ promoted: { const: true }, topology: STRING, version: STRING, weights });
export const ROLLED_BACK = closed({ rolled_back: { const: true }, topology: STRING, weights });
export const TOPOLOGY_PARAM = closed({ topology: { type: 'string', minLength: 1, maxLength: 256 } });
export const PROMOTE_BODY = {
  type: 'object',
  required: ['version'],
  properties: { version: { type: 'string', minLength: 1, maxLength: 64 } },
} as const;
