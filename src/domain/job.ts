import type { EarlierTurn } from './earlier-turn.js';
import type { JobNeeds } from './job-needs.js';
import type { JobStatus } from './job-status.js';
import type { Json } from './json.js';
import type { JudgeRequest } from './judgement.js';
import type { AskedLimits } from './limits.js';
import type { RunFigures } from './run-figures.js';
import type { EarlierSubmitter, Submitter } from './submitter.js';

export {
  canChange,
  isParked,
  isTerminal,
  isWaiting,
  JOB_STATUSES,
  type JobStatus,
  LIVE_STATUSES,
  OVER_STATUSES,
  type WaitingStatus,
} from './job-status.js';
export type { EarlierSubmitter, Submitter } from './submitter.js';

/**
 * Machine and OS user of the process that submitted a run; evidence in its first event, no right to
 * anything.
 */
export interface SubmittedFrom {
  readonly host: string;
  readonly osUser: string;
}

/** Tokens and cost. An unknown cost is null, never 0: 0 means free. */
export type Usage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly reasoningTokens: number;
  readonly costUsd: number | null;
  /** Part of it is an estimate: an attempt was billed, and nobody counted it. Absent: none is. */
  readonly estimated?: true;
};

/**
 * The identity of every caller of a server without authentication
 * (docs/design/decisions.md#open-server): a name, but nobody's.
 */
export const ANONYMOUS = 'anonymous';

/** Which entry point the run came through. */
export type JobSource = 'cli' | 'serve' | 'chat' | 'a2a' | 'mcp' | 'agent' | `trigger:${string}`;

/**
 * Which kind of worker may claim the job: `harness` when any agent of the topology has another
 * executor than a model.
 */
export type JobClass = 'model' | 'harness';

/** The durable row of one run. Timestamps are ISO 8601 UTC strings with milliseconds. */
export interface Job {
  /** 12 lower-case hex characters, from every entry point; used once. */
  readonly id: string;
  readonly status: JobStatus;
  /** Topology name, or `name@version` when a version was chosen. */
  readonly topology: string;
  readonly version: string | null;
  /** What was asked: a string, or JSON text of a structured input. */
  readonly input: string;
  readonly output: string | null;
  /**
   * Machine-readable reason of a failed, stopped or deferred job (`gate_rejected`, `timeout`,
   * `provider.timeout`).
   */
  readonly reason: string | null;
  /** Sentence for people; names the gates while deferred. */
  readonly error: string | null;
  readonly usage: Usage | null;
  /** Total characters of all diffs; null = no harness ran. */
  readonly diffLength: number | null;
  readonly correlationId: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** The run that this one goes on from (fork, retry), or replaces. */
  readonly parentJobId: string | null;
  /** The run whose `agent` skill asked for this one, and waits for it. */
  readonly callerJobId: string | null;
  readonly source: JobSource;
  readonly submittedBy: Submitter;
  /** Submitters of the runs before it in its line (docs/design/decisions.md#line), oldest first. */
  readonly earlier: readonly EarlierSubmitter[];
  readonly workerId: string | null;
  readonly leaseUntil: string | null;
  /** Counts claims; only fences. */
  readonly attempt: number;
  /** Takeovers of an expired lease since the last finished step; 3 = failed, crash_loop. */
  readonly crashes: number;
  readonly jobClass: JobClass;
  /** From the label `priority` (integer text; anything else 0); higher is claimed first. */
  readonly priority: number;
  /**
   * Raised with every change of keys, step order, identity or row shape
   * (docs/design/journal.md#engine-and-needs).
   */
  readonly engine: number;
  readonly needs: JobNeeds;
  /** SHA-256 hex of the stored snapshot. */
  readonly snapshot: string;
  /**
   * `manual`: a crash leaves the job to an explicit resume; `auto`: the sweep takes it over
   * (docs/design/journal.md#takeover).
   */
  readonly recover: 'manual' | 'auto';
  /** What a parked job waits for, in call order (gate ids). */
  readonly waitingOn: readonly string[];
  /** Gates that nobody could be asked about: the run went on past them unreviewed. */
  readonly ungated: readonly string[];
  readonly wakeAt: string | null;
  readonly stopRequestedAt: string | null;
  readonly stopRequestedBy: string | null;
  /** Execution time only: without queue and parked time. */
  readonly executedMs: number;
  /** Wall-clock bound on `executedMs`; null = none. */
  readonly timeoutMs: number | null;
  readonly createdAt: string;
  readonly claimedAt: string | null;
  readonly startedAt: string | null;
  readonly parkedAt: string | null;
  readonly completedAt: string | null;
  /**
   * W3C `traceparent` of who submitted the run: its spans hang below that one. Null: none was
   * given.
   */
  readonly traceParent: string | null;
  /** Attachments kept by digest; bytes lie in the blob store. */
  readonly attachments: readonly AttachmentRef[];
  /** Of a run that has ended; absent: nobody has counted them yet. */
  readonly figures?: RunFigures;
}

/**
 * One attachment as the row keeps it. The media type was read from the bytes, never from a name.
 */
export interface AttachmentRef {
  readonly name: string;
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly sizeBytes: number;
  /** SHA-256 hex; key of the blob. */
  readonly sha256: string;
  /** Workspace-relative path it was read from; null when the caller held the bytes. */
  readonly sourcePath: string | null;
  readonly handling: 'preprocess' | 'native';
}

/**
 * Right to write for one claim of one job; checked under the row's lock by every write of a run.
 */
export interface Fence {
  readonly jobId: string;
  readonly workerId: string;
  readonly attempt: number;
}

/** What another system says of the run that it asks for, on its own word. */
export interface AskedFromElsewhere {
  /**
   * US dollars above 0; the stricter of this and the workspace's limit holds. Absent: the
   * workspace's.
   */
  readonly maxCostUsd?: number;
  /** Time of execution; the stricter of this and the server's holds. Absent: the server's. */
  readonly timeoutMs?: number;
  /** Who submitted the runs above: they are excluded as authors, and admitted to nothing. */
  readonly onBehalfOf: readonly string[];
  /** Runs above this one, wherever they are; 0 = none. */
  readonly depth: number;
}

/**
 * What an entry point hands to `app/submit-run`, passed whole: an entry point adds what it alone
 * knows, and nothing between it and the submit copies single members.
 */
export interface RunRequest
  extends AskedLimits,
    Pick<Job, 'correlationId' | 'labels' | 'submittedBy' | 'source' | 'recover'> {
  /** Absent: a new one. A conversation takes the turn before its job exists. */
  readonly id?: string;
  /** `name` or `name@version`. */
  readonly topology: string;
  /** Digest of the canary route that chose the version; absent: no route did. */
  readonly route?: string;
  readonly input: Json;
  readonly attachments: readonly AttachmentInput[];
  readonly supersedes: string | null;
  /** The run that asks for this one; absent: none does. */
  readonly callerJobId?: string;
  /** Absent: the entry point does not run on the submitter's machine. */
  readonly submittedFrom?: SubmittedFrom;
  /** Execution time after which the run fails; null = none. */
  readonly timeoutMs: number | null;
  /** Absent: nobody else asks for it. */
  readonly asked?: AskedFromElsewhere;
  /**
   * The run judges its input, which is what another run gave; absent: it carries out the topology.
   */
  readonly judge?: JudgeRequest;
  /** What was said before in the conversation that the run is a turn of; absent: nothing. */
  readonly conversation?: readonly EarlierTurn[];
  /**
   * The entry agent answers alone, without tools, children or a gate, by these instructions;
   * absent: the topology is carried out.
   */
  readonly answer?: { readonly system: string };
  /**
   * False: the run neither reads nor feeds memory, whatever the workspace says. Absent: as the
   * workspace says.
   */
  readonly remembers?: boolean;
  /** W3C `traceparent` as it came; absent, or none at all: the run begins a trace of its own. */
  readonly traceParent?: string;
}

/**
 * Exactly one of `path` and `data`; checked at submit because entry points pass callers' values
 * through.
 */
export interface AttachmentInput {
  readonly path?: string;
  /** Base64. */
  readonly data?: string;
  readonly name?: string;
  readonly handling?: string;
  readonly [unknown: string]: unknown;
}

/**
 * The member of a payload that stands beside an identity: none where the entry point knows no name.
 */
export const nameBeside = ({ clientName }: Pick<Submitter, 'clientName'>): { readonly client_name?: string } =>
  clientName === undefined || clientName === '' ? {} : { client_name: clientName };
