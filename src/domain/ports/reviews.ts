import type { RunEvent, StoredEvent } from '../events.js';
import type {
  GateRound,
  GateStatus,
  ItemKind,
  RecordedDecision,
  ReviewItem,
  ReviewState,
  RoleDirectory,
} from '../gates.js';
import type { Job } from '../job.js';

/** Which items to list; every field given narrows the list, oldest first. */
export interface ItemFilter {
  readonly kind?: ItemKind;
  readonly gateId?: string;
  readonly jobId?: string;
  /**
   * `pending`: neither resolved nor stale nor withdrawn, and of a stopped run only where the run or
   * the gate is named; `all`: every item.
   */
  readonly show: 'pending' | 'all';
  /** Role tasks of these roles, and every item that is not a role task. */
  readonly roles?: readonly string[];
  /** Items of runs of these topologies, by name. */
  readonly topologies?: readonly string[];
  readonly limit: number;
  /** Items after this one, in the order of the list. */
  readonly afterId?: string;
}

/** One page of items. */
export interface ItemPage {
  readonly items: readonly ReviewItem[];
  readonly hasMore: boolean;
  /** How many the filter finds in all. */
  readonly total: number;
}

/**
 * What a decision changes; written as one transaction, in which the job row is locked
 * (docs/design/journal.md#waking). Rows are whole: the store replaces by id.
 */
export interface ReviewChange<T> {
  /** For the caller; written nowhere. */
  readonly result: T;
  readonly gates: readonly GateRound[];
  /** Replaced or, with a new id, added. */
  readonly items: readonly ReviewItem[];
  /**
   * Replaced or, with a new id, added. Only `stale` may differ from what is stored. One that is
   * carried into another round keeps its id.
   */
  readonly decisions: readonly RecordedDecision[];
  readonly events: readonly RunEvent[];
  /**
   * Something that the job may wait for is settled: a deferred job with auto-resume becomes
   * runnable, with its `run.resumed`.
   */
  readonly wake: RunEvent | null;
}

/** A deadline that is due. */
export interface DueTimer {
  readonly jobId: string;
  readonly kind: 'gate.reminder' | 'gate.expiry';
  readonly gateId: string;
  readonly round: number;
  readonly dueAt: string;
}

/**
 * Gates, items and decisions, in the database of the jobs. Runs open gates through their journal
 * (`RunWrite`), people change them here.
 */
export interface ReviewStore {
  /** Everything about the reviews of one job, in one consistent read. Null for an unknown job. */
  state(jobId: string): Promise<ReviewState | null>;
  /** The newest round of a gate, or the one asked for. */
  gate(gateId: string, round?: number): Promise<GateRound | null>;
  /**
   * Gates whose newest round has this status, in the order in which those rounds were opened;
   * `pending` (the default) leaves out what was withdrawn.
   */
  openGates(filter: {
    readonly status?: GateStatus;
    readonly limit: number;
    readonly afterId?: string;
  }): Promise<readonly GateRound[]>;
  item(itemId: string): Promise<ReviewItem | null>;
  /** At most `limit` ids that begin with `prefix`. */
  itemIds(prefix: string, limit: number): Promise<readonly string[]>;
  items(filter: ItemFilter): Promise<ItemPage>;
  /**
   * Locks the job row, reads everything about its reviews and the store's clock, asks `decide`, and
   * writes what it says, in one transaction. `decide` is pure and may be asked again when the
   * transaction is tried again; a throw writes nothing. Events are written as they are given:
   * redacted by the caller. Throws KIT_JOB_UNKNOWN, KIT_STORE_BUSY, and KIT_INTERNAL for a change
   * that opens a round, names another job, or rewrites what does not change: of a round all but
   * status, times, escalation and withdrawal; of an item what it is about; of a decision all but
   * `stale`.
   */
  change<T>(
    jobId: string,
    decide: (state: ReviewState) => ReviewChange<T>,
  ): Promise<{ readonly result: T; readonly events: readonly StoredEvent[]; readonly job: Job }>;
  /**
   * Deadlines that are due by the store's clock, the earliest first, of one job or of all that are
   * not stopped (nobody can decide about those, and their deadlines must not stand before others');
   * the change that fires one removes it by moving the gate's own times.
   */
  dueTimers(limit: number, jobId?: string): Promise<readonly DueTimer[]>;
}

/** The role registry as it stands now; read anew by every call. */
export type ReadRoles = () => Promise<RoleDirectory>;
