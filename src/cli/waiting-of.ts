import type { ReviewApp, WhyReport } from '../app/review/review-app.js';
import { isKitError } from '../domain/errors.js';
import type { Job } from '../domain/job.js';

/** What reads who can act, and who hears that it cannot be read. */
export interface WaitingParts {
  readonly workspace: string;
  readonly review: Pick<ReviewApp, 'why'>;
  readonly warn: (text: string) => void;
}

/**
 * Who can act at what a parked run waits for; null = it waits for nobody. A registry that cannot be
 * read takes nothing from the run: it waits all the same.
 */
export async function waitingOf(
  { id, status }: Pick<Job, 'id' | 'status'>,
  { workspace, review, warn }: WaitingParts,
): Promise<WhyReport | null> {
  if (status !== 'deferred') return null;
  try {
    return await review.why({ workspace, what: id });
  } catch (error) {
    if (!isKitError(error)) throw error;
    warn(`who can decide is not known: ${error.message}`);
    return null;
  }
}
