import type { JobClass } from '../job.js';
import type { JobOffers } from '../job-needs.js';

/**
 * What a process is to the runs of a database: `server` accepts and executes, `api` accepts only,
 * `worker` executes only.
 */
export type FleetKind = 'server' | 'api' | 'worker';

/** One process that works on a database, as it last described itself. */
export interface FleetMember {
  /**
   * `<host>:<pid>:<random>`, as worker ids are: `jobs.worker_id` of its claims begins with the same
   * host and pid.
   */
  readonly id: string;
  readonly kind: FleetKind;
  readonly hostname: string;
  readonly pid: number;
  /** Version of kit. */
  readonly version: string;
  /** Journals it can go on from (`Job.engine`). */
  readonly engine: number;
  /** Which jobs it claims; of an `api` it says nothing. */
  readonly jobClass: JobClass | 'any';
  /**
   * Runs it executes at once; 0 for an `api`, and for a process that drains: neither claims
   * anything.
   */
  readonly concurrency: number;
  readonly active: number;
  readonly offers: JobOffers;
  /** ISO 8601, of the process's own clock. */
  readonly startedAt: string;
}

/** A member with what the store knows of it. */
export interface SeenMember extends FleetMember {
  /** ISO 8601 by the store's clock. */
  readonly beatAt: string;
  /** Milliseconds since then, by the store's clock. */
  readonly silentMs: number;
  /** Heard of within `aliveMs` of the list. */
  readonly isAlive: boolean;
}

/**
 * Heartbeat rows of servers and workers (`storage.fleet`). Nothing of a run depends on them: they
 * are for people and statistics.
 */
export interface FleetStore {
  /**
   * Writes the member with the store's time, and removes those that have not been heard of for
   * `forgetMs`: a few with every beat. A row that nobody beats beside stays, so that the last one
   * to die is still to be seen.
   */
  beat(member: FleetMember, forgetMs: number): Promise<void>;
  /** The process has ended in good order. Idempotent. */
  leave(id: string): Promise<void>;
  /** The living first, newest start first; at most 1000. */
  list(aliveMs: number): Promise<readonly SeenMember[]>;
}
