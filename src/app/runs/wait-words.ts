import type { Job } from '../../domain/job.js';

/**
 * Whom a parked run waits for, as its `error` says it while it waits: gates with the roles that
 * have not signed. The run is given as it stands now.
 */
export function waitWords({ error }: Pick<Job, 'error'>): string {
  if (error === null) return 'it waits for a decision';
  return error.startsWith('awaiting ') ? `it is ${error}` : error;
}
