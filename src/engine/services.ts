import type { AttachmentRef } from '../domain/job.js';
import type { LeaseSignal } from '../domain/ports/system.js';
import type { RunSnapshot } from '../domain/snapshot.js';
import type { PluginCompressors } from './compress/plugin-compressors.js';
import type { GateOrder } from './funnel/gate-order.js';
import type { RunObservers } from './services/run-observers.js';
import type { RunPolicy } from './services/run-policy.js';
import type { RunPorts } from './services/run-ports.js';
import type { ToolCache } from './skills/tool-cache.js';
import type { Steps } from './steps.js';
import type { StopWatch } from './stop-watch.js';
import type { TaskSlots } from './tasks/task-slots.js';

/**
 * What every agent of a run shares, wherever it runs: root, child, parallel child, model or harness
 * alike. The four parts and the pass are the same for all of them. The scope alone differs, by the
 * functions of `scopes.ts`.
 */
export interface RunServices extends RunIdentity, RunPorts, RunPolicy, RunObservers, RunPass, TaskScope {}

/** What lives as long as one pass over the journal. */
export interface RunPass {
  readonly compressors: PluginCompressors;
  /** Whose turn it is at a gate that several activations of one agent come to. */
  readonly gateOrder: GateOrder;
  /** Answers of tools that only read. */
  readonly toolCache: ToolCache;
  /** Places for agents at work; absent: the topology bounds nothing. */
  readonly slots?: TaskSlots;
}

/** What work stands in: where it is recorded, and how it ends. */
export interface TaskScope {
  readonly steps: Steps;
  /** Ends the task scope: failure, timeout, breach, abort. */
  readonly signal: AbortSignal;
  /** Aborts the task scope of the whole run. */
  readonly abort: () => void;
  /**
   * The durable stop flag, read anew at each boundary (docs/design/execution.md#stop-boundaries).
   */
  readonly stopRequested: () => Promise<boolean>;
  /**
   * Tells of that flag what need not wait for a boundary: a call of a model. Absent: nobody can
   * stop the run.
   */
  readonly stops?: StopWatch;
  readonly lease: LeaseSignal;
  /** Set inside an activation whose topology bounds it. */
  readonly task?: {
    /**
     * The services of the run, without the bounds of this activation: what runs below it has its
     * own.
     */
    readonly outer: RunServices;
    /** Gives its place back, and uses no time, while it waits for others. */
    releaseWhile<T>(wait: () => Promise<T>): Promise<T>;
  };
}

/** Which run it is, and what decides its work: the same at every attempt. */
interface RunIdentity {
  readonly jobId: string;
  /** First part of the refs of its artifacts; the job id where the run has none. */
  readonly correlationId: string | null;
  /** W3C `traceparent` of who submitted the run; null = the run begins a trace of its own. */
  readonly traceParent: string | null;
  readonly snapshot: RunSnapshot;
  readonly attachments: readonly AttachmentRef[];
}
