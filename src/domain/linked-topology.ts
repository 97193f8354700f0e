import type { AgentNode } from './agent-node.js';
import type { Artifact } from './artifact.js';
import type { DecisionBinding } from './decision-binding.js';
import type { Topology } from './generated/artifacts.js';
import type { JsonSchema } from './json.js';
import type { KnowledgeBase } from './knowledge.js';
import type { AuditLevel } from './linked-skill.js';
import type { Planning, Synthesis } from './planning.js';

/** A linked topology, keyed by (name, version). */
export interface LinkedTopology {
  readonly name: string;
  readonly version: string;
  readonly description: string | null;
  readonly root: AgentNode;
  readonly inputSchema: JsonSchema | null;
  readonly locks: readonly string[];
  readonly decisions: readonly DecisionBinding[];
  readonly planning: Planning | null;
  readonly synthesis: Synthesis | null;
  readonly knowledge: readonly KnowledgeBase[];
  /** Null: neither bound is written. */
  readonly tasks: TaskBounds | null;
  readonly gaps: GapSettings;
  /** Ids of `artifacts.review_queues`. */
  readonly reviewQueues: readonly string[];
  /**
   * `artifacts.audit.level`, else `audit.level` of the workspace: how much of a call the log of its
   * runs keeps at most.
   */
  readonly auditLevel: AuditLevel;
  readonly artifact: Artifact<Topology>;
}

/** `artifacts.skill_gap_logging`: calls of tools that no agent of the topology holds. */
export interface GapSettings {
  /** False: they are refused as ever, and not recorded as gaps. Default true. */
  readonly enabled: boolean;
  /** How often one must happen in the topology before lists of gaps show it; default 1. */
  readonly surfaceThreshold: number;
}

/** Bounds of the agents of one run (`runtime` of its topology). */
export interface TaskBounds {
  /** Agents at work at a time (none that waits for others), at least 1; null = any number. */
  readonly maxConcurrent: number | null;
  /**
   * Working time of one activation in one attempt; null = no bound. What it waits for others or for
   * people does not count.
   */
  readonly timeoutMs: number | null;
}
