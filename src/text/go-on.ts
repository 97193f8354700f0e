import type { Job } from '../domain/job.js';
import type { PastePlace } from '../lib/shell-word.js';
import type { GoOn } from './lines/go-on-after.js';

/**
 * How a failed run goes on, as `kit why` says it; `self` is whoever types the command. Null for any
 * other run, which loads nothing for it.
 */
export const goOn = async (
  job: Job,
  how: { readonly workspaceArgument: PastePlace; readonly self: string },
): Promise<GoOn | null> =>
  job.status === 'failed' ? (await import('./lines/go-on-after.js')).goOnAfter(job, how) : null;
