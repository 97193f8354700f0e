import type { AgentNode } from '../domain/agent-node.js';
import type { Diagnostic, Span } from '../domain/diagnostic.js';
import type { KnowledgeBase } from '../domain/knowledge.js';
import type { NotYetUse } from '../domain/not-yet-use.js';
import type { ReachabilityReport, VerificationEntry } from '../view/validation-report.js';

/** One agent as `kit validate --tree` shows it: effective values, after merge. */
export interface AgentSummary extends Pick<AgentNode, 'id' | 'role' | 'archetype' | 'skills' | 'baseScope'> {
  /** `model`, `harness:<adapter>` or `<executor of a plugin>:<ref>`. */
  readonly executor: string;
  /** `provider/name`; null when neither is declared. */
  readonly model: string | null;
  readonly children: readonly AgentSummary[];
}

/** One topology as `kit validate --tree` shows it. */
export interface TopologySummary {
  /** `name@version`. */
  readonly id: string;
  /** `metadata.description`; null when there is none. */
  readonly description: string | null;
  readonly root: AgentSummary;
}

/**
 * One command line that a run of this workspace can start (docs/design/decisions.md#launch-list).
 * Templates are shown as written.
 */
export interface LaunchEntry {
  readonly kind: 'adapter' | 'command' | 'mcp_server';
  /** Adapter id, `<pack>/<command>` or server id. */
  readonly id: string;
  readonly argv: readonly string[];
  readonly span: Span | null;
}

/** One knowledge base that agents of this workspace may search, as written. */
export type KnowledgeEntry = Pick<KnowledgeBase, 'id' | 'path' | 'include'>;

/** Ids by kind; what the summary counts. */
export interface ArtifactIds {
  readonly topologies: readonly string[];
  readonly skills: readonly string[];
  readonly archetypes: readonly string[];
  readonly triggers: readonly string[];
}

/**
 * Everything that `kit validate` (and whatever else validates) know of a workspace. With an error
 * in `diagnostics` the workspace is invalid, `workspace` is null, and the reports behind it are
 * empty.
 */
export interface WorkspaceReport {
  readonly workspace: {
    readonly id: string;
    readonly name: string;
    readonly description: string | null;
    readonly root: string;
  } | null;
  /** Sorted by file and offset. Uses of keys without an effect are among them, as warnings. */
  readonly diagnostics: readonly Diagnostic[];
  /** Text of every file that was read, by workspace-relative path: what the renderers underline. */
  readonly sources: ReadonlyMap<string, string>;
  readonly ids: ArtifactIds;
  readonly tree: readonly TopologySummary[];
  readonly reachability: ReachabilityReport;
  readonly verification: readonly VerificationEntry[];
  readonly notYet: readonly NotYetUse[];
  readonly launches: readonly LaunchEntry[];
  readonly knowledge: readonly KnowledgeEntry[];
}

/** A demand that a workspace without errors does not meet. */
export interface UnmetDemand {
  /** The flag that asked for it, without dashes. */
  readonly flag: 'require' | 'require-verified';
  /** One sentence part with the count, the flag in brackets. */
  readonly message: string;
  /** What it is about, by name: `gate topologies/a.yaml#/agents/root`. Never empty. */
  readonly subjects: readonly string[];
}
