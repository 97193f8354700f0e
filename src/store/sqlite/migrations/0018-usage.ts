/**
 * What calls of models used, counted when their run ends: what all runs used is then told without
 * reading their logs. Notes on what is not obvious:
 * - `usage_runs` has a row for each day and model of a run, and a new one for what the run calls
 *   after it was stopped and resumed. Its calls lie in the run's log between `first_seq` and
 *   `last_seq`: where a time that is asked for begins between `first_at` and `last_at`, they are
 *   read there.
 * - `usage_days` is the sum of these rows, and stays as it is when runs are removed.
 * - `priced`: calls whose cost is known, and those that failed before anything was answered.
 */
export const USAGE = `
CREATE TABLE usage_runs (
  job_id TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  day TEXT NOT NULL,
  first_at TEXT NOT NULL,
  last_at TEXT NOT NULL,
  topology_id TEXT NOT NULL,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL,
  priced INTEGER NOT NULL,
  input_tokens REAL NOT NULL,
  output_tokens REAL NOT NULL,
  cached_input_tokens REAL NOT NULL,
  cost_usd REAL NOT NULL,
  PRIMARY KEY (job_id, last_seq)
) STRICT;
CREATE INDEX usage_runs_by_day ON usage_runs (day);
CREATE TABLE usage_days (
  day TEXT NOT NULL,
  topology_id TEXT NOT NULL,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL,
  priced INTEGER NOT NULL,
  input_tokens REAL NOT NULL,
  output_tokens REAL NOT NULL,
  cached_input_tokens REAL NOT NULL,
  cost_usd REAL NOT NULL,
  PRIMARY KEY (day, topology_id, model)
) STRICT, WITHOUT ROWID;
INSERT INTO usage_runs (job_id, first_seq, last_seq, day, first_at, last_at, topology_id, model, calls, priced, input_tokens, output_tokens,
  cached_input_tokens, cost_usd)
SELECT e.job_id, min(e.seq), max(e.seq), substr(e.timestamp, 1, 10), min(e.timestamp), max(e.timestamp), e.topology_id,
  coalesce(json_extract(e.payload, '$.served_by.model'), json_extract(e.payload, '$.model'), ''), count(*),
  sum(json_extract(e.payload, '$.cost_usd') IS NOT NULL
    OR (json_extract(e.payload, '$.status') = 'failed' AND json_extract(e.payload, '$.input_tokens') + json_extract(e.payload, '$.output_tokens') = 0)),
  coalesce(sum(json_extract(e.payload, '$.input_tokens')), 0), coalesce(sum(json_extract(e.payload, '$.output_tokens')), 0),
  coalesce(sum(json_extract(e.payload, '$.cached_input_tokens')), 0), coalesce(sum(json_extract(e.payload, '$.cost_usd')), 0)
FROM events AS e JOIN jobs AS j ON j.ord = e.run
WHERE e.type = 'model.called' AND j.status IN ('completed', 'failed', 'stopped') AND json_extract(j.needs, '$.cassette') IS NULL
GROUP BY e.job_id, substr(e.timestamp, 1, 10), e.topology_id, coalesce(json_extract(e.payload, '$.served_by.model'), json_extract(e.payload, '$.model'), '');
INSERT INTO usage_days (day, topology_id, model, calls, priced, input_tokens, output_tokens, cached_input_tokens, cost_usd)
SELECT day, topology_id, model, sum(calls), sum(priced), sum(input_tokens), sum(output_tokens), sum(cached_input_tokens), sum(cost_usd)
FROM usage_runs GROUP BY day, topology_id, model;`;
