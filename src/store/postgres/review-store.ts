import type { ReviewState } from '../../domain/gates.js';
import type { ReviewChange, ReviewStore } from '../../domain/ports/reviews.js';
import { runLater } from '../program.js';
import { ownerOfReviews } from '../review-state.js';
import { applyChange, type ReviewWords, readReviews, requireJob, reviewReads } from '../reviews/review-programs.js';
import type { PostgresDeps } from './deps.js';
import { postgresPrograms } from './programs.js';
import * as statements from './sql/reviews.js';
import type { Transaction } from './transaction.js';

const WORDS: ReviewWords = { ...statements, time: () => ({}) };

/**
 * Gates, items and decisions in PostgreSQL. Every write about a job's reviews holds the lock of the
 * job's row.
 */
export const createPostgresReviews = (deps: PostgresDeps): ReviewStore => ({
  ...reviewReads(postgresPrograms(deps), WORDS),
  state: (jobId) =>
    deps.read(async (sql) => {
      await sql.exec(statements.BEGIN_READ);
      try {
        return (await runLater(sql, readReviews(WORDS, jobId)))?.state ?? null;
      } finally {
        // It has written nothing; a connection that was lost has ended it already.
        await sql.exec('ROLLBACK').catch(() => undefined);
      }
    }),
  change: async <T>(jobId: string, decide: (state: ReviewState) => ReviewChange<T>) => {
    const work = async (tx: Transaction) => {
      const { job, result, events } = await runLater(tx, applyChange(WORDS, jobId, decide));
      const appended = await tx.append(ownerOfReviews(job), events);
      return { result, appended, job: await runLater(tx, requireJob(jobId)) };
    };
    const { appended, ...changed } = await deps.queue.run({ writes: ['review.change'], jobs: [jobId], work });
    return { ...changed, events: appended.map((event) => event()) };
  },
});
