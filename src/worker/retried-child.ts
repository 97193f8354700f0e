import type { Job } from '../domain/job.js';
import { ENGINE, type StepRow } from '../domain/journal.js';
import type { NewJob, Stores } from '../domain/ports/stores.js';
import type { RunSnapshot } from '../domain/snapshot.js';
import { isTakenOver, takenFrom } from '../domain/taken-over.js';
import { childIdOf } from '../engine/derive.js';
import { canonicalJson } from '../lib/canonical-json.js';
import { retriedRows } from './retried-rows.js';
import { retryIdOf } from './retry-id.js';
import { decodeSnapshot } from './snapshot.js';

/** A run that a retried run asks for once more. */
interface AskedAgain {
  readonly caller: Job;
  /** Key of the call. */
  readonly key: string;
  readonly child: NewJob;
  readonly snapshotBytes: Uint8Array;
}

/**
 * What a run begins with that a retry asks for in the place of one that its failed run had asked
 * for: the finished steps of that one, where it did the same work on the same input. Empty = it
 * begins anew.
 */
export async function retriedChildRows(stores: Stores, asked: AskedAgain): Promise<readonly StepRow[]> {
  const { caller, key, child } = asked;
  const source = await retriedBy(stores, caller);
  if (source === null) return [];
  const earlier = await stores.jobs.get(childIdOf(source, key));
  if (earlier === null || earlier.callerJobId !== source) return [];
  const isSame = earlier.engine === ENGINE && earlier.topology === child.topology && earlier.input === child.input;
  if (!isSame || !(await hasSameWork(stores, earlier, asked.snapshotBytes))) return [];
  return retriedRows(await stores.runs.load(earlier.id), child.id).rows;
}

/** The run that this one goes on from; null = it is not a retry, nor a part of one. */
async function retriedBy(stores: Stores, job: Job): Promise<string | null> {
  if (job.callerJobId === null)
    return job.parentJobId !== null && retryIdOf(job.parentJobId) === job.id ? job.parentJobId : null;
  const taken = (await stores.runs.load(job.id)).find(isTakenOver);
  return taken === undefined ? null : takenFrom(taken);
}

/** What may be spent is not part of the work: what was spent before counts in both. */
async function hasSameWork(stores: Stores, earlier: Job, bytes: Uint8Array): Promise<boolean> {
  const workOf = ({ limits: _, ...work }: RunSnapshot): string => canonicalJson(work);
  const now = JSON.parse(new TextDecoder().decode(bytes)) as RunSnapshot;
  return workOf(await decodeSnapshot(stores.blobs, earlier)) === workOf(now);
}
