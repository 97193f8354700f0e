import type { JobStatus } from '../job.js';
import type { JobNeeds } from '../job-needs.js';
import type { StepRow } from '../journal.js';

/** A call of a remote agent that a run without a process waits for. */
export interface RemoteWait {
  readonly jobId: string;
  /** Key of the step whose notes name the task. */
  readonly key: string;
  /** ISO 8601: nobody watches it after that. With the two above it names who holds the row. */
  readonly heldUntil: string;
  readonly status: JobStatus;
  /** A worker executes the run just now, and looks at the task itself. */
  readonly isExecuted: boolean;
  readonly needs: JobNeeds;
  /** What the step has noted; null: there is no such step, or it came to an end. */
  readonly notes: StepRow['notes'] | null;
}

/** A call of a run that is not over, which waits for people of the other side. */
export interface GatedWait {
  readonly jobId: string;
  readonly topology: string;
  readonly notes: StepRow['notes'];
}

/** Where people of another system decide what a run waits for: nobody decides it here. */
export interface GateElsewhere {
  readonly jobId: string;
  readonly topology: string;
  /** How the agent calls itself: a stranger's word. */
  readonly agent: string;
  /** http(s), of the agent's own choice. */
  readonly gateUrl: string;
}

export type HeldWait = Pick<RemoteWait, 'jobId' | 'key' | 'heldUntil'>;

/**
 * Rows `remote` of the timers: what runs wait for at agents that run elsewhere, with a lease of
 * their own. A row is written with the park of its run, and when a run that nobody executes is
 * ended while the journal names a task whose end it has not seen. It is removed by whoever holds
 * it, once the run is to go on, or nothing waits for the task any more. Times are the store's.
 */
export interface RemoteWaitStore {
  /** Rows that nobody holds, those that wait longest first. */
  due(limit: number): Promise<readonly RemoteWait[]>;
  /** Calls that wait for people elsewhere, whoever holds their rows; of the oldest run first. */
  gated(limit: number): Promise<readonly GatedWait[]>;
  /**
   * Takes or keeps rows for `leaseMs`; answers those that are held now, with their new time. A row
   * that is not as it was read is left alone: somebody else took it, or it is to be read anew.
   */
  hold(waits: readonly HeldWait[], leaseMs: number): Promise<readonly HeldWait[]>;
  /**
   * Removes the row; with `wakes` its run is claimable in the same transaction, and one that is
   * deferred has its `run.resumed`. False: somebody else holds the row, and nothing was written.
   */
  settle(wait: HeldWait, of: { readonly wakes: boolean }): Promise<boolean>;
}
