const number = { type: 'number' } as const;
const text = { type: 'string' } as const;
const nullable = (type: 'number' | 'string') => ({ type: [type, 'null'] }) as const;
const object = <P extends object>(properties: P) =>
  ({ type: 'object', additionalProperties: false, required: Object.keys(properties), properties }) as const;

const weights = { type: 'object', additionalProperties: { type: 'integer' }, description: 'Version -> weight; they sum to 100.' } as const;

const condition = object({
  name: { enum: ['min_runs', 'error_rate_below', 'drift_below'] },
  bound: number,
  value: nullable('number'),
  met: { type: 'boolean' },
  note: text,
});

const version = object({
  version: text,
  weight: { type: 'integer' },
  metrics: object({
    total_runs: { type: 'integer' },
    failed_runs: { type: 'integer' },
    error_rate: nullable('number'),
    avg_drift: nullable('number'),
    window_start: nullable('string'),
  }),
  promote_when: {
    anyOf: [{ type: 'null' }, object({ window_minutes: number, conditions: { type: 'array', items: condition } })],
    description: 'Each condition beside what was measured; null: nothing promotes this version by itself.',
  },
});

const promotion = object({
  topology: text,
  weights,
  old_weights: weights,
  reason: { enum: ['promote', 'rollback', 'criteria'] },
  by: text,
  timestamp: { type: 'string', format: 'date-time' },
  metrics: {
    type: 'array',
    items: object({ version: text, total_runs: { type: 'integer' }, failed_runs: { type: 'integer' }, window_start: text }),
  },
});

/** `GET /canary`. */
export const CANARY_REPORT = object({
  enabled: { type: 'boolean' },
  routes: { type: 'array', items: object({ topology: text, override: { type: 'boolean' }, versions: { type: 'array', items: version } }) },
  promotions: { type: 'array', items: promotion },
});

export const PROMOTED = object({ promoted: { const: true }, topology: text, version: text, weights });
export const ROLLED_BACK = object({ rolled_back: { const: true }, topology: text, weights });
export const TOPOLOGY_PARAM = object({ topology: { type: 'string', minLength: 1, maxLength: 256 } });
export const PROMOTE_BODY = {
  type: 'object',
  required: ['version'],
  properties: { version: { type: 'string', minLength: 1, maxLength: 64 } },
} as const;
