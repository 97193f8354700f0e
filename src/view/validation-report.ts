/** One declaration and whether the compiler wired it (docs/design/workspace.md#wirings). */
export interface ReachabilityEntry {
  readonly kind: string;
  readonly key: string;
  /** File and pointer of the declaration: `topologies/a.yaml#/agents/root`. */
  readonly declaredOn: string;
  readonly required: boolean;
  readonly detail: string;
  readonly message: string;
}

/**
 * Which declarations the compiler wired (docs/design/workspace.md#wirings); `ok` = all of them.
 * `orphans` declare nothing: no agent and no check names them, and nothing is missed without them.
 */
export interface ReachabilityReport {
  readonly ok: boolean;
  readonly reachable: readonly ReachabilityEntry[];
  readonly unreachable: readonly ReachabilityEntry[];
  readonly orphans: readonly ReachabilityEntry[];
}

/** Which checks stand behind an agent's output. Only roots without any are findings. */
export interface VerificationEntry {
  /** `name@version`. */
  readonly topology: string;
  readonly agent: string;
  readonly isRoot: boolean;
  readonly funnel: string | null;
  /** Layers that are declared and wired. */
  readonly layers: readonly string[];
  readonly declared: readonly string[];
  /** Declared and not wired. */
  readonly inert: readonly string[];
  readonly verified: boolean;
}
