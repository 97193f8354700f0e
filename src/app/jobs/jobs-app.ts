import type { EventType, StoredEvent } from '../../domain/events.js';
import type { Job, JobStatus } from '../../domain/job.js';
import type { QueueStats } from '../../domain/ports/serving.js';
import type { JobFilter } from '../../domain/ports/stores.js';

/** Which jobs to list; every field given narrows the list. */
export interface JobQuery extends Pick<JobFilter, 'correlationId' | 'topology' | 'status' | 'source'> {
  /** Absolute directory. */
  readonly workspace: string;
  /** Jobs created before this one (its id): the next page. */
  readonly before?: string;
  /** 1 to 1000; default 100. */
  readonly limit?: number;
}

/** One job of a workspace. `job` is the full id. */
export interface JobAsk {
  readonly workspace: string;
  readonly job: string;
}

/** One event of a run in words, or how the stream ended. */
export type StreamItem =
  | {
      readonly kind: 'line';
      /** Dense per run, from 1: where a reader that was cut off goes on. */
      readonly seq: number;
      /** ISO 8601 UTC. */
      readonly timestamp: string;
      readonly type: EventType;
      readonly agentId: string | null;
      /** One line, safe for a terminal. */
      readonly text: string;
      /** The event itself. */
      readonly event: StoredEvent;
    }
  /** The last item: the run has ended or waits for people. */
  | { readonly kind: 'end'; readonly status: JobStatus };

/** Runs as those see them who only look. Nothing here makes a store where there is none. */
export interface JobsApp {
  /** Newest first. Throws KIT_JOB_UNKNOWN where `before` is not a job. */
  list(query: JobQuery): Promise<readonly Job[]>;
  /** The durable row, which is the truth. Throws KIT_JOB_UNKNOWN. */
  get(ask: JobAsk): Promise<Job>;
  /** The same by the id or a unique prefix of it. Throws KIT_JOB_UNKNOWN, KIT_JOB_ID_AMBIGUOUS. */
  find(ask: JobAsk): Promise<Job>;
  /** What the log holds of a run after `afterSeq`, at most `limit`. Throws KIT_JOB_UNKNOWN. */
  events(
    ask: JobAsk & { readonly afterSeq: number; readonly limit: number },
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly hasMore: boolean }>;
  /**
   * Agent id -> unified diff. Throws KIT_JOB_UNKNOWN, and KIT_DIFF_UNKNOWN for a run without a
   * harness.
   */
  diff(ask: JobAsk): Promise<Readonly<Record<string, string>>>;
  queueStats(ask: { readonly workspace: string }): Promise<QueueStats>;
  /**
   * What the log holds of a run after `afterSeq`, then what is added, until the run has ended or
   * parked or `signal` aborts. Pulled: a reader that does not read holds nothing but its place.
   * Throws KIT_JOB_UNKNOWN before the first item.
   */
  stream(ask: JobAsk & { readonly afterSeq: number; readonly signal: AbortSignal }): Promise<AsyncIterable<StreamItem>>;
}
