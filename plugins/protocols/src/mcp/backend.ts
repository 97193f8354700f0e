import type { FoundArtifact, InboxPage, ItemDetails, Job, StreamItem } from '@kit-run/kit/command';
import type { KitError } from '@kit-run/kit/plugin';
import type { Rests } from '../shared/people-elsewhere.js';
import type { RunMarks } from '../shared/run-marks.js';
import type { CalledRun } from './call/arguments.js';
import type { TopologyTool } from './tools/topology-tools.js';

/** A run to submit. */
export interface BackendRun extends CalledRun {
  readonly tool: TopologyTool;
  readonly marks: RunMarks;
  /** W3C `traceparent` as it came; null = none. */
  readonly traceParent: string | null;
}

/** A run in its workspace. */
export interface FoundJob {
  readonly job: Job;
  /** Absolute directory. */
  readonly workspace: string;
}

/** What a run has made, without its bytes. */
export interface MadeArtifact {
  readonly ref: string;
  readonly name: string;
  readonly mediaType: string;
}

/** A part of a list: at most `limit` entries behind `after`; null = from its beginning. */
export interface Page {
  readonly limit: number;
  readonly after: string | null;
}

/**
 * What a server of MCP does with runs: the use cases of kit behind one transport. Nothing here
 * decides what people are asked, and nothing can: no use case that decides is handed to this
 * plugin's server.
 */
export interface Backend {
  /** Who calls; a run that waits is joined by whoever began it alone. */
  readonly caller: string;
  /** Every topology as it is now, by name. */
  readonly tools: () => Promise<readonly TopologyTool[]>;
  /** How long a call waits for a run of this workspace unless it says so itself. */
  readonly waitMs: (workspace: string) => Promise<number>;
  /**
   * Whether the end of a call ends its run. Where a lost connection looks like the end of a call,
   * it does not.
   */
  readonly onCallEnded: 'stop' | 'leave';
  /** Where a run rests that waits for an agent elsewhere. */
  readonly rests: Rests;
  /** Aborts when nobody reads what a call answers any more, or the server stops. */
  readonly over: AbortSignal;
  /** Throws what submitting a run throws. */
  readonly submit: (run: BackendRun) => Promise<FoundJob>;
  /** By its whole id. Throws KIT_JOB_UNKNOWN. */
  readonly find: (job: string) => Promise<FoundJob>;
  /** Events of a run in words from its beginning, until it has ended or waits for people. */
  readonly follow: (of: FoundJob, signal: AbortSignal) => Promise<AsyncIterable<StreamItem>>;
  readonly stop: (of: FoundJob) => Promise<void>;
  /**
   * Where people see what a run waits for, people of another kit included; null = it waits for
   * nobody, or no address is known.
   */
  readonly gateUrl: (of: FoundJob) => Promise<string | null>;
  /** What a run has made so far, the newest first, at most `limit`. */
  readonly artifacts: (of: FoundJob, limit: number) => Promise<readonly MadeArtifact[]>;
  /** Absolute directories of what is served; never empty. */
  readonly workspaces: readonly string[];
  /** What waits for whoever calls to decide it, oldest first, behind the item `after`. */
  readonly inbox: (workspace: string, page: Page) => Promise<Pick<InboxPage, 'rows' | 'hasMore'>>;
  /** Runs, newest first, behind the run `after`. */
  readonly runs: (workspace: string, page: Page) => Promise<readonly Job[]>;
  /** What the runs of a workspace have made, the newest first, at most `limit`. */
  readonly newest: (workspace: string, limit: number) => Promise<readonly MadeArtifact[]>;
  /**
   * An item with what is asked of whoever calls. `place`: how commands to paste name the workspace.
   * Throws KIT_ITEM_UNKNOWN.
   */
  readonly item: (id: string) => Promise<{ readonly details: ItemDetails; readonly place: string }>;
  /** Throws what `ArtifactsApp.get` throws. */
  readonly artifact: (ref: string) => Promise<FoundArtifact>;
  /** A refusal as whoever called can act on it. */
  readonly wordsOf: (error: KitError) => string;
  /** Called with what went wrong in the server itself. */
  readonly onDefect: (error: unknown) => void;
}
