import type { JobClass } from '../job.js';
import type { JobNeeds, JobOffers } from '../job-needs.js';

/**
 * Who claims, and what it can run. Every field stands in the WHERE of the claim
 * (docs/design/journal.md#engine-and-needs).
 */
export interface ClaimRequest {
  readonly workerId: string;
  readonly leaseMs: number;
  readonly jobClass: JobClass | 'any';
  readonly engine: number;
  /** What is there of plugins and adapters: a job that needs more is not claimed. */
  readonly offers: JobOffers;
  /** At most this many jobs in one statement. */
  readonly limit: number;
  /** Restrict to one job (`kit run`). */
  readonly jobId?: string;
  /**
   * Where this worker runs, for the same-host takeover rule of SQLite
   * (docs/design/journal.md#same-host).
   */
  readonly host: WorkerHost;
}

/**
 * The process of a worker, so that another one on the same host can tell whether it still lives.
 */
export interface WorkerHost {
  readonly hostname: string;
  readonly bootId: string;
  readonly pid: number;
  /** Process start in the platform's own ticks: tells a recycled pid apart. */
  readonly processStart: string;
}

/** A claim of what waits, whichever runs these are: only the store knows what they need. */
export interface QueueClaim extends Omit<ClaimRequest, 'offers' | 'jobId'> {
  /**
   * Asked with each claim, once the needs of all that waits are read, each once, or are known from
   * the claim before: what of them is there. It is called in no transaction.
   */
  readonly offersFor: (needs: readonly JobNeeds[]) => Promise<JobOffers>;
}
