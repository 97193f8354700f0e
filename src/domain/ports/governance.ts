import type { Json } from '../json.js';

/**
 * What is about to be done, by whom: `agent:execute`, `command:call:<pack>:<command>`, ...
 * (docs/design/execution.md#actions).
 */
export interface PolicyRequest {
  readonly agentId: string;
  readonly action: string;
  readonly scopesRequired: readonly string[];
  readonly context: Readonly<Record<string, Json>>;
}

/**
 * An unknown verdict is a denial: the engine accepts these three and nothing else. `policyDigest`
 * (64 hex characters) names the policies that decided; it is recorded with the decision, so that an
 * auditor can tell which text was in force.
 */
export type Decision =
  | { readonly verdict: 'allow'; readonly policyDigest?: string }
  | {
      readonly verdict: 'deny';
      readonly reason: string;
      readonly needs: readonly string[];
      readonly policyDigest?: string;
    }
  | {
      readonly verdict: 'ask';
      readonly reason: string;
      /**
       * Who may answer: ids of roles and names of persons. Left out or empty: whoever may answer
       * permissions at all.
       */
      readonly approvers?: readonly string[];
      readonly policyDigest?: string;
    };

/** What policies may name, and where their files lie. */
export interface PolicyWorkspace {
  /** Absolute directory; a relative path of the configuration starts from it. */
  readonly root: string;
  readonly agents: readonly string[];
  readonly skills: readonly string[];
  /** `<pack>:<command>`. */
  readonly commands: readonly string[];
  readonly servers: readonly string[];
}

/**
 * Why policies cannot be used: they do not parse, name something that the workspace does not have,
 * are source text where a compiled policy is needed, or are not there.
 */
export interface PolicyProblem {
  readonly code: 'policy.unparsable' | 'policy.unknown-entity' | 'policy.not-compiled' | 'policy.missing';
  /** Relative to the workspace where the file lies in it. */
  readonly path: string;
  /** 1-based; null where it is not known. */
  readonly line: number | null;
  readonly message: string;
  /** What to do about it; null where the message says it. */
  readonly help: string | null;
}

/**
 * Missing, failed, timed out or thrown = denied and audited
 * (docs/design/decisions.md#governance-fails-closed).
 */
export interface GovernanceProvider {
  /** Every agent and call asks: what waits for nothing is best given without a promise. */
  evaluate(request: PolicyRequest, signal: AbortSignal): Promise<Decision> | Decision;
  /**
   * Reads the policies and says what is wrong with them; [] = they can be used. Called by `kit
   * validate`, before a run is accepted, and when one is opened, with what the workspace has; may
   * be called again at any time. A provider without it has nothing to read.
   */
  check?(workspace: PolicyWorkspace, signal: AbortSignal): Promise<readonly PolicyProblem[]>;
  /**
   * How far an agent is trusted, 0..1; null = there is no source of trust for it, which counts as
   * 1. A provider without it has none.
   */
  trustScore?(agentId: string, signal: AbortSignal): Promise<number | null>;
}
