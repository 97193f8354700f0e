import type { Job } from '../job.js';
import type { RunFigures } from '../run-figures.js';

/** What is kept of runs that have ended, beside their rows. */
export interface EndedRuns {
  /** Agent id -> unified diff of a run that ended with harnesses; null when there are none. */
  diffs(jobId: string): Promise<Readonly<Record<string, string>> | null>;
  /**
   * Notes what an ended run was counted to, unless it went on after `attempt`. It says nothing that
   * the log does not say, so a crash loses nothing by it.
   */
  keepFigures(job: Pick<Job, 'id' | 'attempt'>, figures: RunFigures): Promise<void>;
}
