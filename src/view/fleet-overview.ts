import type { Job } from '../domain/job.js';
import type { SeenMember } from '../domain/ports/fleet.js';
import type { QueueStats } from '../domain/ports/serving.js';
import type { AgentView, RunView } from './run-view.js';

/** Some rows of a longer list: as many as were asked for. */
export interface Some<T> {
  readonly rows: readonly T[];
  /** How many there are in all. */
  readonly total: number;
}

/** A run that executes now. */
export interface RunningRun {
  readonly job: Job;
  /** Folded from its events as far as they were read; a run with very many is behind at first. */
  readonly view: RunView;
  /** Since its first claim, by the store's clock. */
  readonly elapsedMs: number;
}

/** What waits for a person: a task of a gate, a permission, a question. */
export interface WaitingItem {
  readonly id: string;
  /** Null: it belongs to no gate. */
  readonly gateId: string | null;
  /** Who may decide; null: whoever may decide at all. */
  readonly role: string | null;
  readonly kind: string;
  readonly jobId: string;
  readonly topology: string;
  readonly ageMs: number;
}

/**
 * A database of runs at one moment: what waits, who works, what runs, what people have to decide.
 */
export interface FleetOverview {
  /** ISO 8601, by the store's clock where its processes tell it, else by that of this process. */
  readonly at: string;
  /**
   * How far the store's clock is ahead of this process's, in ms; negative: behind. 0 = they agree
   * within two seconds, or nobody beats.
   */
  readonly storeAheadMs: number;
  readonly queue: QueueStats;
  /** The living first. Null: the rows of `storage.fleet` could not be read. */
  readonly members: Some<SeenMember> | null;
  readonly runs: Some<RunningRun>;
  readonly waiting: Some<WaitingItem>;
}

/** The agent that does something now: the one that began last of those that run. */
export const busyAgent = (view: RunView): AgentView | null =>
  view.order
    .map((key) => view.agents[key])
    .filter((agent) => agent?.status === 'running')
    .at(-1) ?? null;

/**
 * True when a claim was made by this process: ids of claims are `<host>:<pid>:<random>`, and each
 * may have a random part of its own. A process of the same host and pid that ended has no row.
 */
export const isClaimOf = (workerId: string | null, member: Pick<SeenMember, 'id'>): boolean =>
  workerId !== null && processOf(workerId) === processOf(member.id);

/** `<host>:<pid>` of a worker id. */
export const processOf = (workerId: string): string =>
  workerId.slice(0, Math.max(0, workerId.lastIndexOf(':'))) || workerId;
