import type { ReviewStore } from '../../domain/ports/reviews.js';
import { runNow } from '../program.js';
import { ownerOfReviews } from '../review-state.js';
import { applyChange, type ReviewWords, readReviews, requireJob, reviewReads } from '../reviews/review-programs.js';
import { appendEvents } from './append-events.js';
import { isoAt, type SqliteDeps } from './deps.js';
import { sqlitePrograms } from './programs.js';
import * as statements from './sql/reviews.js';

/**
 * Gates, items and decisions in SQLite. Whoever holds the write lock of the file holds every job
 * row.
 */
export function createSqliteReviews(deps: SqliteDeps): ReviewStore {
  const words: ReviewWords = { ...statements, time: () => ({ now: isoAt(deps.clock.now()) }) };
  return {
    ...reviewReads(sqlitePrograms(deps), words),
    state: (jobId) =>
      deps.read((sql) => {
        // One moment for all of its statements: between two of them another process could commit.
        sql.run('BEGIN', {});
        try {
          return runNow(sql, readReviews(words, jobId))?.state ?? null;
        } finally {
          sql.run('COMMIT', {});
        }
      }),
    change: (jobId, decide) =>
      deps.queue.run(['review.change'], (sql) => {
        const { job, result, events } = runNow(sql, applyChange(words, jobId, decide));
        const stored = appendEvents(sql, ownerOfReviews(job), events);
        return { result, events: stored, job: runNow(sql, requireJob(jobId)) };
      }),
  };
}
