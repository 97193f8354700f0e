import type { ReviewState } from '../../domain/gates.js';
import type { DecisionRecord } from '../decision-row.js';
import type { GateRecord } from '../gate-row.js';
import type { ItemRecord } from '../item-row.js';
import { decodeReviews, type ReviewedJob } from '../review-state.js';
import { DECISIONS_OF_JOB, GATES_OF_JOB, GET_REVIEWED_JOB, ITEMS_OF_JOB } from './sql/reviews.js';
import type { SqlParams } from './sql-runner.js';

export interface SeenReviews {
  readonly job: ReviewedJob;
  readonly state: ReviewState;
}

/** A reading transaction, or one that holds the lock of the job row. */
export interface Reader {
  get<Row>(sql: string, params: SqlParams): Promise<Row | undefined>;
  all<Row>(sql: string, params: SqlParams): Promise<readonly Row[]>;
}

/** Everything about the reviews of one job; undefined for an unknown job. */
export async function readReviews(sql: Reader, jobId: string): Promise<SeenReviews | undefined> {
  const job = await sql.get<ReviewedJob & { readonly now: string }>(GET_REVIEWED_JOB, { jobId });
  if (job === undefined) return undefined;
  const gates = await sql.all<GateRecord>(GATES_OF_JOB, { jobId });
  const items = await sql.all<ItemRecord>(ITEMS_OF_JOB, { jobId });
  const decisions = await sql.all<DecisionRecord>(DECISIONS_OF_JOB, { jobId });
  return { job, state: decodeReviews({ job, now: job.now, gates, items, decisions }) };
}
