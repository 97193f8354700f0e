import type { Job } from '@kit-run/kit/command';
import { gateUrlOf } from '../../shared/gate-url.js';
import { type Task, taskOf } from '../wire/task.js';
import type { A2aParts } from './uses.js';

/** Jobs as tasks of one request. */
export interface TaskReader {
  /** Throws KIT_JOB_UNKNOWN. */
  job(id: string): Promise<Job>;
  gateUrl(job: Job): Promise<string | null>;
  of(job: Job, more?: { readonly stopRequested: boolean }): Promise<Task>;
}

export function taskReader({ jobs, review, workspace }: A2aParts, base: string): TaskReader {
  const gateUrl = (job: Job): Promise<string | null> => gateUrlOf(review, job, { workspace, rests: 'store', base });
  const job = (id: string): Promise<Job> => jobs.get({ workspace, job: id });
  return {
    job,
    gateUrl,
    of: async (read, more) => {
      const url = await gateUrl(read);
      if (url !== null || read.status !== 'deferred') return taskOf(read, { ...more, gateUrl: url });
      // Decided between the two looks: it waits for nobody any more, and a caller would answer it.
      const now = await job(read.id);
      return taskOf(now, { ...more, gateUrl: await gateUrl(now) });
    },
  };
}
