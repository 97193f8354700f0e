import type { ErrorCode } from '../domain/error-registry.js';
import type { Job } from '../domain/job.js';
import type { RunEnd } from '../domain/journal.js';
import type { Stores } from '../domain/ports/stores.js';
import type { Clock, Log } from '../domain/ports/system.js';
import type { OpenFacilities } from './facilities.js';
import type { FiguresFold } from './keep-figures.js';
import type { ReadSnapshot } from './snapshot-cache.js';

/** What executing claims takes of a process. */
export interface RunJobDeps {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly log: Log;
  readonly leaseMs: number;
  readonly open: OpenFacilities;
  /**
   * One for all runs of the process (`createSnapshotCache`); default: each claim decodes its own.
   */
  readonly readSnapshot?: ReadSnapshot;
  /** Keeps what `open` is of while a claim is executed. Default: nothing is kept. */
  readonly hold?: (work: () => Promise<RunJobResult>) => Promise<RunJobResult>;
  /** Runs a function after the current turn of the event loop (setImmediate). */
  readonly defer: (fn: () => void) => void;
  /**
   * Asked of a claim that `open` refused: whether this process would not make it any more, so that
   * it goes back to the queue for another, counting nothing. False where the same claim would be
   * made again at once. Default: never, and what cannot be opened ends with its reason.
   */
  readonly isDeclined?: (job: Job, error: unknown) => Promise<boolean>;
  /**
   * Asked at a claim after a park alone, before anything of the run goes on: throws KIT_LOG_BROKEN
   * where its log or its gates were rewritten. Default: nothing is checked.
   */
  readonly assertIntact?: (job: Job) => Promise<void>;
  /** Begins to count a run for its row. Default: ends name no figures. */
  readonly openFigures?: () => FiguresFold;
}

/** What is wrong with the store itself, for whoever waits for the run. */
export interface StoreTrouble {
  readonly code: ErrorCode;
  readonly message: string;
  /** What helps; absent: the hint of the code. */
  readonly hint?: string;
}

/**
 * How a claim ended for the worker. `lost`: another worker owns the run now, or the store would not
 * take or tell something; nothing more was written. `why` tells what could not be done with the run
 * where that is not an outage: giving it back with `why` counts (`JobStore.release`). `released`:
 * it waits to be claimed again. `parked`: people decide. `waiting`: runs that it asked for are
 * under way.
 */
export type RunJobResult =
  | { readonly kind: 'ended'; readonly end: RunEnd }
  | { readonly kind: 'lost'; readonly why?: string; readonly trouble?: StoreTrouble }
  | { readonly kind: 'released' }
  | { readonly kind: 'parked'; readonly waitingOn: readonly string[] }
  | { readonly kind: 'waiting'; readonly waitingOn: readonly string[] };
