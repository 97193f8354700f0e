import type { JobClass, JobOffers } from '../../domain/job.js';
import type { FleetKind } from '../../domain/ports/fleet.js';
import type { Stores } from '../../domain/ports/stores.js';

/** A process that serves or works, for whoever tells others of it. The functions answer for now. */
export interface WorkingProcess {
  /** Worker id of its claims. */
  readonly id: string;
  readonly kind: FleetKind;
  readonly stores: Stores;
  /** Which runs it claims; of an `api` it says nothing. */
  readonly jobClass: JobClass | 'any';
  /** Runs that it executes at once; 0 for an `api`. */
  readonly concurrency: () => number;
  readonly active: () => number;
  readonly offers: () => Promise<JobOffers>;
}

/** What happens around the work of a process. Neither may throw: nothing of a run depends on them. */
export interface ProcessHooks {
  /** It has begun to work. */
  onStart(process: WorkingProcess): Promise<void>;
  /** It has been drained; its store is still open. */
  onStop(process: WorkingProcess): Promise<void>;
}
