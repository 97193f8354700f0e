// Reports of evals, as `GET /evals/reports` answers them.
import {
  among,
  arrayOf,
  BOOLEAN,
  closed,
  described,
  held,
  INTEGER,
  NUMBER,
  nullable,
  STRING,
  STRINGS,
  type TypeOf,
} from './words.js';

const FACTS = {
  name: described(STRING, '<set>-<time>'),
  eval_set_id: held('setId', STRING),
  target: STRING,
  total: INTEGER,
  passed: INTEGER,
  failed: INTEGER,
  pass_rate: described(NUMBER, '0 to 1'),
  not_run: described(STRINGS, 'Ids of cases without a verdict.'),
  started_at: STRING,
  finished_at: held('endedAt', STRING),
};
const ROW = closed(FACTS);
export type WireEvalRow = TypeOf<typeof ROW>;

const CASE = closed({
  id: STRING,
  passed: BOOLEAN,
  failures: STRINGS,
  output: described(STRING, 'First 2000 characters.'),
  run_id: nullable(STRING),
  duration_ms: nullable(NUMBER),
});
export type WireEvalCase = TypeOf<typeof CASE>;

const COMPARISON = closed({
  report: described(STRING, 'Name of the report that was taken for the earlier one.'),
  pass_rate: NUMBER,
  trend: among(['better', 'worse', 'same']),
  regressed: STRINGS,
  fixed: STRINGS,
  new: held('added', STRINGS),
  removed: STRINGS,
});

export const EVAL_REPORTS = closed({ reports: arrayOf(ROW) });
export const EVAL_REPORT = closed({ ...FACTS, cases: arrayOf(CASE), comparison: nullable(COMPARISON) });
export type WireEvalReport = TypeOf<typeof EVAL_REPORT>;
