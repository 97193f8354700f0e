import type { ReviewStore } from '../../domain/ports/reviews.js';
import { createReviews } from '../reviews/review-programs.js';
import { isoAt, type SqliteDeps } from './deps.js';
import { sqlitePrograms } from './programs.js';
import * as statements from './sql/reviews.js';

/** Gates, items and decisions in SQLite. */
export const createSqliteReviews = (deps: SqliteDeps): ReviewStore =>
  createReviews(sqlitePrograms(deps), { ...statements, time: () => ({ now: isoAt(deps.clock.now()) }) });
