/**
 * The notes stand beside the text of the other dialect. Half of a page of totals stays free: each
 * run that ends makes a row of them anew. Two escapes of JSON are not text of this dialect.
 */
export const USAGE = String.raw`
CREATE TABLE usage_runs (
  job_id TEXT COLLATE "C" NOT NULL,
  first_seq BIGINT NOT NULL,
  last_seq BIGINT NOT NULL,
  day TEXT COLLATE "C" NOT NULL,
  first_at TEXT COLLATE "C" NOT NULL,
  last_at TEXT COLLATE "C" NOT NULL,
  topology_id TEXT COLLATE "C" NOT NULL,
  model TEXT COLLATE "C" NOT NULL,
  calls BIGINT NOT NULL,
  priced BIGINT NOT NULL,
  input_tokens DOUBLE PRECISION NOT NULL,
  output_tokens DOUBLE PRECISION NOT NULL,
  cached_input_tokens DOUBLE PRECISION NOT NULL,
  cost_usd DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (job_id, last_seq)
);
CREATE INDEX usage_runs_by_day ON usage_runs (day);
CREATE TABLE usage_days (
  day TEXT COLLATE "C" NOT NULL,
  topology_id TEXT COLLATE "C" NOT NULL,
  model TEXT COLLATE "C" NOT NULL,
  calls BIGINT NOT NULL,
  priced BIGINT NOT NULL,
  input_tokens DOUBLE PRECISION NOT NULL,
  output_tokens DOUBLE PRECISION NOT NULL,
  cached_input_tokens DOUBLE PRECISION NOT NULL,
  cost_usd DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (day, topology_id, model)
) WITH (fillfactor = 50);
INSERT INTO usage_runs (job_id, first_seq, last_seq, day, first_at, last_at, topology_id, model, calls, priced, input_tokens, output_tokens,
  cached_input_tokens, cost_usd)
SELECT job_id, min(seq), max(seq), substr(timestamp, 1, 10), min(timestamp), max(timestamp), topology_id,
  coalesce(called -> 'served_by' ->> 'model', called ->> 'model', ''), count(*),
  count(*) FILTER (WHERE called ->> 'cost_usd' IS NOT NULL
    OR (called ->> 'status' = 'failed' AND called ->> 'input_tokens' = '0' AND called ->> 'output_tokens' = '0')),
  coalesce(sum(CAST(called ->> 'input_tokens' AS DOUBLE PRECISION)), 0), coalesce(sum(CAST(called ->> 'output_tokens' AS DOUBLE PRECISION)), 0),
  coalesce(sum(CAST(called ->> 'cached_input_tokens' AS DOUBLE PRECISION)), 0), coalesce(sum(CAST(called ->> 'cost_usd' AS DOUBLE PRECISION)), 0)
FROM (
  SELECT e.job_id, e.seq, e.timestamp, e.topology_id,
    CAST(CASE WHEN position('\u' IN e.payload) = 0 THEN e.payload
      ELSE regexp_replace(e.payload, '\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\ufffd', 'g') END AS JSONB) AS called
  FROM events AS e JOIN jobs AS j ON j.id = e.job_id
  WHERE e.type = 'model.called' AND j.status IN ('completed', 'failed', 'stopped') AND NOT jsonb_exists(CAST(j.needs AS JSONB), 'cassette')
  OFFSET 0
) AS calls
GROUP BY job_id, substr(timestamp, 1, 10), topology_id, coalesce(called -> 'served_by' ->> 'model', called ->> 'model', '');
INSERT INTO usage_days (day, topology_id, model, calls, priced, input_tokens, output_tokens, cached_input_tokens, cost_usd)
SELECT day, topology_id, model, sum(calls), sum(priced), sum(input_tokens), sum(output_tokens), sum(cached_input_tokens), sum(cost_usd)
FROM usage_runs GROUP BY day, topology_id, model;`;
