import type { AgentNode } from './agent-node.js';
import type { ApprovalPolicy } from './gates.js';
import type { JsonSchema } from './json.js';

/**
 * A funnel as the engine runs it; plain JSON. Layers run in this order, all but `approve` may be
 * absent (docs/design/execution.md#funnel).
 */
export interface LinkedFunnel {
  readonly id: string;
  readonly validate: {
    readonly schema: JsonSchema | null;
    /** One re-prompt limited to the failing fields before a retry counts. */
    readonly autocorrect: boolean;
    readonly sliceBudget: { readonly maxDiffLines: number | null; readonly maxFiles: number | null } | null;
    readonly citedChange: boolean;
  } | null;
  /** `rubric` is the text of the file; null = none. `threshold` 0..1. */
  readonly judge: { readonly skill: string; readonly rubric: string | null; readonly threshold: number } | null;
  /**
   * The reviewer as an agent without children, named `<archetype>@<funnel>`; it holds no skills of
   * the author, and of its archetype's only those that read. It answers REVIEW_SCHEMA. `readScope`:
   * paths of the repository, folders whole; empty = none of its files.
   */
  readonly review: {
    readonly reviewer: AgentNode;
    readonly readScope: readonly string[];
    readonly routeBackAt: Severity;
  } | null;
  /** Drafts that the automated layers together may send back (`judge.max_retries`, 2). */
  readonly maxRetries: number;
  readonly approve: ApprovalPolicy;
}

/** How grave a reviewer's finding is. */
export type Severity = 'info' | 'low' | 'medium' | 'high' | 'critical';
