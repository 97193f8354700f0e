import type { Job } from '../domain/job.js';

/** The run after a decision. */
export interface RunAfterDecision {
  readonly job: Job;
  /** `here`: this process went on with it. */
  readonly resumed: 'here' | 'left';
  /** Why it was left; null when it went on here. */
  readonly why: string | null;
}
