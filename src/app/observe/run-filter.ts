import type { Job } from '../../domain/job.js';
import type { JobFilter, JobStore } from '../../domain/ports/stores.js';

/** Which runs are meant; every field given narrows them. */
export interface RunFilter extends Pick<JobFilter, 'status' | 'topology' | 'correlationId'> {
  /** Beginning of the id. */
  readonly idPrefix?: string;
  /** Labels that a run has, all of them. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Submitted within so many milliseconds. */
  readonly youngerThanMs?: number;
  /** Submitted before so many milliseconds. */
  readonly olderThanMs?: number;
  /** Only runs after this one (its id) in the list: the next page. */
  readonly beforeId?: string;
}

const PAGE = 200;

/**
 * The newest runs that pass, newest first, at most `limit`. Status, topology and correlation id are
 * asked of the store; labels and ages are looked at page by page, until a page is too old.
 */
export async function filterRuns(
  jobs: Pick<JobStore, 'list'>,
  filter: RunFilter,
  { limit, nowMs }: { readonly limit: number; readonly nowMs: number },
): Promise<readonly Job[]> {
  const { idPrefix, status, topology, correlationId } = filter;
  const asked = {
    ...(idPrefix === undefined ? {} : { idPrefix }),
    ...(status === undefined ? {} : { status }),
    ...(topology === undefined ? {} : { topology }),
    ...(correlationId === undefined ? {} : { correlationId }),
  };
  const found: Job[] = [];
  let { beforeId } = filter;
  for (;;) {
    const page = await jobs.list({ ...asked, limit: PAGE, ...(beforeId === undefined ? {} : { beforeId }) });
    for (const job of page) {
      if (!passes(job, filter, nowMs)) continue;
      found.push(job);
      if (found.length === limit) return found;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE || isTooOld(last, filter, nowMs)) return found;
    beforeId = last.id;
  }
}

const ageMs = ({ createdAt }: Job, nowMs: number): number => nowMs - Date.parse(createdAt);

const isTooOld = (job: Job, { youngerThanMs }: RunFilter, nowMs: number): boolean =>
  youngerThanMs !== undefined && ageMs(job, nowMs) > youngerThanMs;

function passes(job: Job, filter: RunFilter, nowMs: number): boolean {
  const { labels = {}, olderThanMs } = filter;
  if (isTooOld(job, filter, nowMs)) return false;
  if (olderThanMs !== undefined && ageMs(job, nowMs) < olderThanMs) return false;
  return Object.entries(labels).every(([name, value]) => Object.hasOwn(job.labels, name) && job.labels[name] === value);
}
