const field = (name: string): string => `(CAST(payload AS JSONB) ->> '${name}')`;
const sum = (name: string): string => `CAST(sum(CAST(${field(name)} AS DOUBLE PRECISION)) AS DOUBLE PRECISION) AS ${name}`;

const FOLD = `
SELECT ${field('model')} AS model, count(*) AS calls, ${sum('input_tokens')}, ${sum('output_tokens')}, ${sum('cached_input_tokens')}, ${sum('cost_usd')},
  count(${field('cost_usd')}) AS priced
FROM events`;

const IN_TIME = '(CAST(@since AS TEXT) IS NULL OR timestamp >= @since) AND (CAST(@until AS TEXT) IS NULL OR timestamp <= @until)';

export const USAGE_OF_RUN = `${FOLD} WHERE job_id = @jobId AND type = 'model.called' AND ${IN_TIME} GROUP BY 1`;

export const USAGE = `${FOLD} WHERE type = 'model.called' AND ${IN_TIME} GROUP BY 1`;
