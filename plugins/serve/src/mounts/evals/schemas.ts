import { arrayOf, BOOLEAN, closed, INTEGER, NUMBER, nullable, STRING, STRINGS } from '../shared/schema.js';

const NAME = { type: 'string', minLength: 1, maxLength: 300, pattern: '^[A-Za-z0-9._-]+$' } as const;

const facts = {
  name: { ...STRING, description: '<set>-<time>' },
  eval_set_id: STRING,
  target: STRING,
  total: INTEGER,
  passed: INTEGER,
  failed: INTEGER,
  pass_rate: { ...NUMBER, description: '0 to 1' },
  not_run: { ...STRINGS, description: 'Ids of cases without a verdict.' },
  started_at: STRING,
  finished_at: STRING,
};

const evalCase = closed({
  id: STRING,
  passed: BOOLEAN,
  failures: STRINGS,
  output: { ...STRING, description: 'First 2000 characters.' },
  run_id: nullable(STRING),
  duration_ms: nullable(NUMBER),
});

const comparison = closed({
  report: { ...STRING, description: 'Name of the report that was taken for the earlier one.' },
  pass_rate: NUMBER,
  trend: { enum: ['better', 'worse', 'same'] },
  regressed: STRINGS,
  fixed: STRINGS,
  new: STRINGS,
  removed: STRINGS,
});

export const REPORTS = closed({ reports: arrayOf(closed(facts)) });
export const REPORT = closed({ ...facts, cases: arrayOf(evalCase), comparison: nullable(comparison) });

export const LIST_QUERY = {
  type: 'object',
  properties: {
    set: { type: 'string', minLength: 1, maxLength: 200, description: 'Id of an eval set.' },
    limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  },
} as const;
export const NAME_PARAM = { type: 'object', required: ['name'], properties: { name: NAME } } as const;
export const AGAINST_QUERY = {
  type: 'object',
  properties: { against: { ...NAME, description: 'Name of an earlier report.' } },
} as const;
