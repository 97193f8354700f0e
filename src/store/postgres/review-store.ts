import type { ReviewStore } from '../../domain/ports/reviews.js';
import { createReviews } from '../reviews/review-programs.js';
import type { PostgresDeps } from './deps.js';
import { postgresPrograms } from './programs.js';
import * as statements from './sql/reviews.js';

/** Gates, items and decisions in PostgreSQL. */
export const createPostgresReviews = (deps: PostgresDeps): ReviewStore =>
  createReviews(postgresPrograms(deps), { ...statements, time: () => ({}) });
