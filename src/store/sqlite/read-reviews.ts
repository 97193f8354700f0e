import type { ReviewState } from '../../domain/gates.js';
import type { DecisionRecord } from '../decision-row.js';
import type { GateRecord } from '../gate-row.js';
import type { ItemRecord } from '../item-row.js';
import { decodeReviews, type ReviewedJob } from '../review-state.js';
import { DECISIONS_OF_JOB, GATES_OF_JOB, GET_REVIEWED_JOB, ITEMS_OF_JOB } from './sql/reviews.js';
import type { SqlRunner } from './sql-runner.js';

export interface SeenReviews {
  readonly job: ReviewedJob;
  readonly state: ReviewState;
}

/**
 * Everything about the reviews of one job, in the open transaction; undefined for an unknown job.
 */
export function readReviews(sql: SqlRunner, jobId: string, now: string): SeenReviews | undefined {
  const job = sql.get<ReviewedJob>(GET_REVIEWED_JOB, { jobId });
  if (job === undefined) return undefined;
  const gates = sql.all<GateRecord>(GATES_OF_JOB, { jobId });
  const items = sql.all<ItemRecord>(ITEMS_OF_JOB, { jobId });
  const decisions = sql.all<DecisionRecord>(DECISIONS_OF_JOB, { jobId });
  return { job, state: decodeReviews({ job, now, gates, items, decisions }) };
}
