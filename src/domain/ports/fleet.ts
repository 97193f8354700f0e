import type { JobClass, JobOffers } from '../job.js';

/** What a process is to the runs of a database: `server` accepts and executes, `api` accepts only, `worker` executes only. */
export type FleetKind = 'server' | 'api' | 'worker';

/** One process that works on a database, as it last described itself. */
export interface FleetMember {
  /** Worker id of its claims: `jobs.worker_id` names it. */
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
  /** Runs it executes at once; 0 for an `api`. */
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
  /** Heard of within `aliveMs` of the list. */
  readonly isAlive: boolean;
}

/** Heartbeat rows of servers and workers (`storage.fleet`). Nothing of a run depends on them: they are for people and statistics. */
export interface FleetStore {
  /** Writes the member with the store's time, and removes those that have not been heard of for `forgetMs`. */
  beat(member: FleetMember, forgetMs: number): Promise<void>;
  /** The process has ended in good order. Idempotent. */
  leave(id: string): Promise<void>;
  /** The living first, newest start first. */
  list(aliveMs: number): Promise<readonly SeenMember[]>;
}
