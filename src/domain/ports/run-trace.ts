import type { Job, Usage } from '../job.js';

/** Tokens of one call, or of all calls of an agent; cost null: that of at least one is unknown. */
export type SpanUsage = Omit<Usage, 'estimated'>;

/**
 * What a span tells of. Names and reasons are those of the log; nothing that anybody wrote or
 * answered is in it.
 */
export type SpanSubject =
  /**
   * The whole run, from its submit to its end: the root. `source` is how it came in: `serve`,
   * `cli`, `trigger:<id>`, ...
   */
  | { readonly type: 'submit'; readonly source: string }
  /** The work on it: from its first claim to its end. `status` is the run's. */
  | { readonly type: 'run'; readonly status: string }
  /** It waited for a claim: after its submit, or after it was resumed. */
  | { readonly type: 'queue' }
  /**
   * One claim, until the run ended or parked, or the next one took it over. Null: the row of the
   * run does not tell any more.
   */
  | { readonly type: 'attempt'; readonly attempt: number | null; readonly workerId: string | null }
  /** One activation of an agent. */
  | {
      readonly type: 'agent';
      readonly agentId: string;
      readonly activation: string;
      readonly role: string;
      readonly executor: string;
      readonly status: string;
      readonly usage: SpanUsage;
    }
  | {
      readonly type: 'model';
      readonly agentId: string | null;
      readonly provider: string;
      readonly model: string;
      readonly status: string;
      readonly usage: SpanUsage;
    }
  /** A tool that kit called, or (`isInside`) one that a harness called and told of. */
  | {
      readonly type: 'tool';
      readonly agentId: string | null;
      readonly tool: string;
      readonly status: string;
      readonly isInside: boolean;
    }
  /** A session outside a model: `<kind>:<ref>` of its executor. */
  | {
      readonly type: 'session';
      readonly agentId: string | null;
      readonly executor: string;
      readonly status: string;
      readonly usage: SpanUsage;
    }
  /** People were asked: a round of a gate, or an item of another kind. */
  | {
      readonly type: 'wait';
      readonly agentId: string | null;
      readonly kind: 'gate' | 'input' | 'permission' | 'other';
      readonly id: string;
      readonly round: number;
      readonly outcome: string;
    };

/**
 * A stretch of a run that has ended. Ids derive from the run and its journal keys: whoever tells of
 * it tells the same.
 */
export interface RunSpan {
  /** 16 hex digits. */
  readonly spanId: string;
  /** Null: it has no parent that anybody knows of. */
  readonly parentSpanId: string | null;
  /** Milliseconds since the epoch; a span lies within its parent. */
  readonly startMs: number;
  readonly endMs: number;
  /** Machine-readable reason of a failure; null: nothing went wrong. */
  readonly error: string | null;
  readonly of: SpanSubject;
}

/**
 * A trace as far as the row of its run tells: no event is read for it, so that whoever exports none
 * of it costs nothing.
 */
export interface RunTrace extends Pick<Job, 'topology' | 'version' | 'correlationId'> {
  /** 32 hex digits: that of whoever submitted the run, else one derived from its id. */
  readonly traceId: string;
  /** Whoever submitted the run named a span of a trace: the root hangs below that one. */
  readonly hasParent: boolean;
  /** False: whoever submitted the run does not record its trace. */
  readonly isSampled: boolean;
  /** Status with which the run ended with this event; null: it parked. */
  readonly end: 'completed' | 'failed' | 'stopped' | null;
  /**
   * Milliseconds from the first claim to that end, 0 or more; null: it parked, or nobody ever
   * claimed it.
   */
  readonly durationMs: number | null;
  readonly runId: string;
  /** '' for a run of an earlier version. */
  readonly workspaceId: string;
  /** Labels of the run. */
  readonly labels: Readonly<Record<string, string>>;
  /**
   * Reads the log of the run page by page from its start and gives what had ended with this event
   * since the run was last parked or ended; nothing for a run whose events do not begin with its
   * submit. The same parts in the same order each time, but for the claims in the last one. Rejects
   * with the reason of the signal once it aborts, and with KIT_STORE_* where the log cannot be
   * read.
   */
  parts(signal: AbortSignal): AsyncIterable<TracePart>;
}

/** As much of a trace as is held in memory, or sent, at once. */
export interface TracePart {
  /** Id, of the workspace; null where it names none. */
  readonly organisation: string | null;
  readonly team: string | null;
  readonly annotations: Readonly<Record<string, string>>;
  /**
   * `MAX_SPANS` at most, children before the parents that ended after them; the last part can hold
   * none.
   */
  readonly spans: readonly RunSpan[];
  /** What governance decided meanwhile about agents, tools and people. */
  readonly decisions: { readonly allow: number; readonly deny: number };
}

/**
 * Spans of one part: the default batch of OpenTelemetry's own exporters
 * (OTEL_BSP_MAX_EXPORT_BATCH_SIZE), some hundred KB.
 */
export const MAX_SPANS = 512;
