import type { JobClass } from '../../domain/job.js';
import type { JobOffers } from '../../domain/job-needs.js';
import type { FleetKind } from '../../domain/ports/fleet.js';

/** A process that serves or works, for whoever tells others of it. The functions answer for now. */
export interface WorkingProcess {
  /** Worker id of its claims. */
  readonly id: string;
  readonly kind: FleetKind;
  /** Absolute directory. */
  readonly workspace: string;
  /** Which runs it claims; of an `api` it says nothing. */
  readonly jobClass: JobClass | 'any';
  /** Runs that it executes at once; 0 for an `api`. */
  readonly concurrency: () => number;
  readonly active: () => number;
  readonly offers: () => Promise<JobOffers>;
}

/**
 * What happens around the work of a process. Nothing of a run depends on it: but for `onOpen` none
 * of these may throw.
 */
export interface ProcessHooks {
  /** Before it begins to work: what this throws refuses the start. */
  onOpen(process: WorkingProcess): Promise<void>;
  /** It has begun to work. */
  onStart(process: WorkingProcess): Promise<void>;
  /** It claims nothing more, and lets its runs go on for a while. */
  onDrain(process: WorkingProcess): Promise<void>;
  /** It has been drained; its store is still open. */
  onStop(process: WorkingProcess): Promise<void>;
}
