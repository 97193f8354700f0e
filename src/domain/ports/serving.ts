import type { JobClass, JobStatus } from '../job.js';
import type { JobNeeds } from '../job-needs.js';
import type { FleetStore } from './fleet.js';
import type { SharedLimits } from './limiter.js';
import type { UsageFilter, UsageShare } from './usage.js';

/** One line of the access log: every run or admin call, and every 403. Times are the store's. */
export interface AccessEntry {
  readonly clientId: string;
  readonly provider: string;
  readonly method: string;
  /** Route pattern (`/run/:topology`), never the address: that may hold what a caller typed. */
  readonly route: string;
  readonly status: number;
  readonly requestId: string;
}

/** Counters of one version of a canary route within its window. */
export interface CanaryCounters {
  readonly version: string;
  readonly runs: number;
  readonly failed: number;
  readonly driftSum: number;
  readonly driftCount: number;
  /** ISO 8601. */
  readonly windowStart: string;
}

/**
 * A weight change by people or by `promote_when`; the newest wins over the file as long as the
 * route is what it was.
 */
export interface CanaryOverride {
  /** Version -> weight; they sum to 100. */
  readonly weights: Readonly<Record<string, number>>;
  readonly at: string;
  readonly by: string;
  readonly reason: 'promote' | 'rollback' | 'criteria';
}

/** A change of traffic with what was known when it was made. */
export interface CanaryPromotion extends CanaryOverride {
  readonly topology: string;
  readonly oldWeights: Readonly<Record<string, number>>;
  readonly counters: readonly CanaryCounters[];
}

/**
 * What the store knows of one route. `routeKey`: digest of its configuration; another one starts
 * anew.
 */
export interface CanaryState {
  readonly counters: readonly CanaryCounters[];
  readonly override: CanaryOverride | null;
}

/** The counters of canary routes, shared by every server of the database. */
export interface CanaryStore {
  state(routeKey: string): Promise<CanaryState>;
  /**
   * Counts the end of one run, once per job id; a window older than `windowMs` begins anew first.
   * Answers the state after it.
   */
  record(
    routeKey: string,
    result: {
      readonly jobId: string;
      readonly version: string;
      readonly failed: boolean;
      readonly drift: number | null;
      readonly windowMs: number;
    },
  ): Promise<CanaryState>;
  /**
   * Writes an override unless the newest one is not `expected` (its `at`; null = none). False:
   * somebody was faster.
   */
  override(routeKey: string, promotion: Omit<CanaryPromotion, 'at'>, expected: string | null): Promise<boolean>;
  /** Newest first. */
  promotions(topology: string | null, limit: number): Promise<readonly CanaryPromotion[]>;
}

/** One turn of a conversation: what a person wrote, and what came of it. */
export interface ConversationTurn {
  /** From 1: counts the messages of people. */
  readonly n: number;
  readonly jobId: string;
  readonly message: string;
  /**
   * Output of its run when that has completed; null before, and for a run that failed or was
   * stopped. Read from the job's row, stored nowhere else: of a run that was pruned it says so.
   */
  readonly answer: string | null;
  readonly createdAt: string;
  readonly answeredAt: string | null;
}

/** A conversation with one topology. */
export interface Conversation {
  /** 8 lower-case hex characters. */
  readonly id: string;
  readonly topology: string;
  readonly createdBy: string;
  /** Open to everybody of the tier, from its beginning. */
  readonly shared: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly turns: readonly ConversationTurn[];
}

/**
 * Whose conversations are looked at: those that this identity began, those that are shared, and
 * those of `anonymous`, which is nobody's name. Null: everybody's.
 */
export type ConversationsOf = string | null;

/** Conversations; a turn's run is a job like any other. */
export interface ConversationStore {
  create(conversation: {
    readonly id: string;
    readonly topology: string;
    readonly createdBy: string;
    readonly shared: boolean;
  }): Promise<Conversation>;
  /**
   * By id or unique prefix, among those that `of` sees. Throws KIT_CONVERSATION_UNKNOWN, also for
   * an ambiguous prefix (naming the candidates).
   */
  get(idOrPrefix: string, of: ConversationsOf): Promise<Conversation>;
  /** Newest first, the last turn alone in `turns`; `turnCount` says how many there are. */
  list(limit: number, of: ConversationsOf): Promise<readonly (Conversation & { readonly turnCount: number })[]>;
  /**
   * Takes the next turn for a job that does not exist yet. Throws KIT_CONVERSATION_BUSY while the
   * job of the turn before is neither completed, failed nor stopped; a turn whose job failed, was
   * stopped, or is still missing after a minute (its process died before the submit) is replaced.
   */
  begin(id: string, turn: { readonly jobId: string; readonly message: string }): Promise<ConversationTurn>;
  /**
   * Removes the turn of a job that was not submitted after all; nothing when the job exists.
   * Idempotent.
   */
  giveBack(jobId: string): Promise<void>;
}

/** What `GET /queue/stats` and `kit queue-stats` show; without a sample ages are null. */
export interface QueueStats {
  readonly queued: number;
  /** Jobs that a worker or server executes; one that waits for runs of its own is none of them. */
  readonly running: number;
  /**
   * Jobs without a worker until what is down may be up again; `nextAt`: when the next one looks,
   * ISO 8601. A `kit run` that waits keeps its run, and is none of them.
   */
  readonly outages: { readonly jobs: number; readonly nextAt: string | null };
  readonly oldestQueuedAgeMs: number | null;
  readonly queueWaitP50Ms: number | null;
  readonly queueWaitP95Ms: number | null;
  readonly executionP50Ms: number | null;
  readonly executionP95Ms: number | null;
  /** Topology name -> jobs that wait for a claim. */
  readonly depthByTopology: Readonly<Record<string, number>>;
  /** Completed runs the percentiles are of: the 500 newest that have the times. */
  readonly sampleSize: number;
  /**
   * What waits although nobody alive can claim it, most jobs first, at most 100. Null: the rows of
   * `storage.fleet` could not be read.
   */
  readonly blocked: readonly BlockedJobs[] | null;
}

/** What the store of the runs tells of the queue. */
export type QueueFigures = Omit<QueueStats, 'blocked'>;

/**
 * What a claim asks for (docs/design/journal.md#engine-and-needs). Waiting jobs that agree in it
 * are claimed by the same processes.
 */
export interface WaitingKind {
  readonly engine: number;
  readonly jobClass: JobClass;
  readonly needs: JobNeeds;
}

/** How many jobs of one kind wait; `example` is the id of one of them. */
export interface WaitingCount {
  readonly jobs: number;
  readonly example: string;
}

/** Jobs of one kind that wait, and that no live process can claim. */
export interface BlockedJobs extends WaitingCount, Pick<WaitingKind, 'engine' | 'jobClass'> {
  /** One clause each, in lower case: what the process lacks that comes nearest. Never empty. */
  readonly missing: readonly string[];
}

export type JobCounts = Readonly<Partial<Record<JobStatus, number>>>;

/** What a server keeps beside the runs. */
export interface ServingStore extends SharedLimits {
  readonly canary: CanaryStore;
  readonly conversations: ConversationStore;
  /** Rows of this database; which database holds those of a workspace, `storage.fleet` says. */
  readonly fleet: FleetStore;
  recordAccess(entries: readonly AccessEntry[]): Promise<void>;
  /** Newest first. */
  access(limit: number): Promise<readonly (AccessEntry & { readonly at: string })[]>;
  /**
   * True for the first who takes this occurrence of a trigger, `<workspace>/<trigger>`; rows older
   * than 30 days go.
   */
  takeOccurrence(triggerId: string, occurrence: string): Promise<boolean>;
  /**
   * Takes or renews a named lead for `ttlMs` by the store's clock; false while another holder has
   * it.
   */
  lead(name: string, holder: string, ttlMs: number): Promise<boolean>;
  yieldLead(name: string, holder: string): Promise<void>;
  queueStats(): Promise<QueueFigures>;
  /**
   * The different kinds of jobs that wait for a claim: at most 1000, whatever waits behind each.
   */
  waitingKinds(): Promise<readonly WaitingKind[]>;
  /** The different needs of all that a claim could take, also once other runs have ended. */
  waitingNeeds(): Promise<readonly JobNeeds[]>;
  /** Null: none of this kind waits any more. */
  countWaiting(kind: WaitingKind): Promise<WaitingCount | null>;
  /** Folded from `model.called`, the most expensive first; days in their order. */
  usage(filter: UsageFilter): Promise<readonly UsageShare[]>;
  /**
   * By status. `live`: of those that wait or run. `over`: of those that completed, failed or were
   * stopped; each is counted, so that it takes longer the more there were. A status without jobs is
   * absent.
   */
  jobCounts(which: 'live' | 'over'): Promise<JobCounts>;
}
