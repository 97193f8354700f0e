import type { Job } from '../domain/job.js';
import type { BlobStore } from '../domain/ports/stores.js';
import type { RunSnapshot } from '../domain/snapshot.js';
import { keepNewest } from '../lib/keep-newest.js';
import { decodeSnapshot } from './snapshot.js';

/** Reads the frozen work of a job. Throws what `decodeSnapshot` throws. */
export type ReadSnapshot = (blobs: BlobStore, job: Job) => Promise<RunSnapshot>;

/** Runs of more topologies than this at once decode some of them again. */
const MAX_SNAPSHOTS = 32;

/**
 * Runs of one topology share one decoded snapshot, and with it what hangs on its objects (compiled
 * schemas): a thousand runs would otherwise hold a thousand copies. A snapshot is named by its
 * digest and never written to.
 */
export function createSnapshotCache(): ReadSnapshot {
  const stores = new WeakMap<BlobStore, Map<string, Promise<RunSnapshot>>>();
  return (blobs, job) => {
    const known = stores.get(blobs) ?? new Map<string, Promise<RunSnapshot>>();
    stores.set(blobs, known);
    const reading = known.get(job.snapshot) ?? decodeSnapshot(blobs, job);
    keepNewest(known, MAX_SNAPSHOTS, [job.snapshot, reading]);
    // A snapshot that could not be read is looked for again.
    reading.catch(() => known.delete(job.snapshot));
    return reading;
  };
}
