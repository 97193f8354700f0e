import { WAITS } from '../../sql/jobs.js';

/** Columns of the index, in its order; `needs` is in it as a hash. */
const KIND = 'hashtextextended(needs, 0), engine, job_class';
/** Two texts of one hash would be counted as one kind: of 64 bits that is nobody's case. */
const IS_OF_KIND =
  'hashtextextended(needs, 0) = hashtextextended(CAST(@needs AS TEXT), 0) AND engine = @engine AND job_class = @jobClass';

/** Each kind of the jobs that wait, one index entry each, however many jobs are of it. */
export const WAITING_KINDS = `
WITH RECURSIVE found AS (
  (SELECT hashtextextended(needs, 0) AS hash, engine, job_class, needs FROM jobs WHERE ${WAITS} ORDER BY ${KIND} LIMIT 1)
  UNION ALL
  SELECT next.hash, next.engine, next.job_class, next.needs FROM found CROSS JOIN LATERAL (
    SELECT hashtextextended(needs, 0) AS hash, engine, job_class, needs FROM jobs
    WHERE ${WAITS} AND (${KIND}) > (found.hash, found.engine, found.job_class) ORDER BY ${KIND} LIMIT 1
  ) AS next
) SELECT engine, job_class, needs FROM found LIMIT @limit`;

/** Reads the index alone, but for the one row that is named. */
export const COUNT_WAITING = `
SELECT (SELECT count(*) FROM jobs WHERE ${WAITS} AND ${IS_OF_KIND}) AS jobs,
  (SELECT id FROM jobs WHERE ${WAITS} AND ${IS_OF_KIND} LIMIT 1) AS example`;
