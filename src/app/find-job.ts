import { KitError } from '../domain/errors.js';
import type { Job } from '../domain/job.js';
import { isTerminal } from '../domain/job-status.js';
import type { PrunedRun } from '../domain/ports/retention.js';
import type { Stores } from '../domain/ports/stores.js';
import { oneLine } from '../view/lines/words.js';

const NAME_CHARS = 60;

/**
 * A job by its id or a unique prefix of it.
 *
 * Throws KIT_JOB_UNKNOWN, which says what was there when the run was pruned, or
 * KIT_JOB_ID_AMBIGUOUS naming the candidates.
 */
export async function findJob(
  { jobs, retention }: Pick<Stores, 'jobs' | 'retention'>,
  idOrPrefix: string,
): Promise<Job> {
  const exact = await jobs.get(idOrPrefix);
  if (exact !== null) return whole(retention, exact);
  const candidates = /^[0-9a-f]{3,12}$/.test(idOrPrefix) ? await jobs.list({ idPrefix: idOrPrefix, limit: 6 }) : [];
  const [first, second] = candidates;
  if (first === undefined) throw await unknownJob(retention, idOrPrefix);
  if (second !== undefined) {
    const ids = candidates.map((job) => job.id);
    throw new KitError('KIT_JOB_ID_AMBIGUOUS', `${idOrPrefix} fits several runs: ${ids.join(', ')}`, {
      data: { candidates: ids },
    });
  }
  return whole(retention, first);
}

/** A job by its whole id. Throws KIT_JOB_UNKNOWN as `findJob` does. */
export async function jobCalled({ jobs, retention }: Pick<Stores, 'jobs' | 'retention'>, id: string): Promise<Job> {
  const job = await jobs.get(id);
  if (job === null) throw await unknownJob(retention, id);
  return whole(retention, job);
}

/** What is left of a run while it is removed, or when that was interrupted, is not the run. */
async function whole(retention: Stores['retention'], job: Job): Promise<Job> {
  if (isTerminal(job.status)) await assertNotPruned(retention, job.id);
  return job;
}

/** Throws KIT_JOB_UNKNOWN once the removal of a run has begun. */
export async function assertNotPruned(retention: Stores['retention'], id: string): Promise<void> {
  const pruned = await retention.pruned(id);
  if (pruned !== null) throw prunedJob(pruned);
}

/** A workspace without a store has no runs; asking for one must not make a store. */
export const noRunHere = (run: string): KitError => noRun(run, '; nothing was ever run in this workspace');

async function unknownJob(retention: Stores['retention'], id: string): Promise<KitError> {
  const pruned = await retention.pruned(id);
  return pruned === null ? noRun(id) : prunedJob(pruned);
}

const noRun = (name: string, more = ''): KitError =>
  new KitError('KIT_JOB_UNKNOWN', `there is no run ${oneLine(name, NAME_CHARS)}${more}`);

/** What is left of it. */
export function prunedJob(pruned: PrunedRun): KitError {
  const { jobId: id, topology, status, endedAt, prunedAt, eventCount, lastHash } = pruned;
  return new KitError(
    'KIT_JOB_UNKNOWN',
    `run ${id} was pruned on ${prunedAt}: ${topology}, ${status} on ${endedAt}, ${eventCount} events, the last with the digest ${lastHash}`,
    {
      hint: 'What it held is gone (storage.audit.retention_days); proofs that were exported before can be checked with `kit verify`.',
      data: { ...pruned },
    },
  );
}
