import type { JsonObject } from '../domain/json.js';

/** One declaration and whether the compiler wired it (artifacts.md 18). */
export interface ReachabilityEntry {
  readonly kind: string;
  readonly key: string;
  /** File and pointer of the declaration: `topologies/a.yaml#/agents/root`. */
  readonly declaredOn: string;
  readonly required: boolean;
  readonly detail: string;
  readonly message: string;
}

/** Which declarations the compiler wired (artifacts.md 18); `ok` = all of them. */
export interface ReachabilityReport {
  readonly ok: boolean;
  readonly reachable: readonly ReachabilityEntry[];
  readonly unreachable: readonly ReachabilityEntry[];
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

/** The report as every door shows it. */
export const toWireReachability = ({ ok, reachable, unreachable }: ReachabilityReport): JsonObject => ({
  ok,
  reachable: reachable.map(toWireEntry),
  unreachable: unreachable.map(toWireEntry),
});

const toWireEntry = ({ declaredOn, ...entry }: ReachabilityEntry): JsonObject => ({ ...entry, declared_on: declaredOn });

/** The report as every door shows it; `strength` counts the wired layers. */
export function toWireVerification(agents: readonly VerificationEntry[]): JsonObject {
  const unverified = agents.filter(({ isRoot, verified }) => isRoot && !verified);
  return {
    ok: unverified.length === 0,
    agents: agents.map(({ topology, agent, isRoot, funnel, ...entry }) => ({
      topology_id: topology,
      agent_id: agent,
      is_root: isRoot,
      funnel_id: funnel,
      ...entry,
      strength: entry.layers.length,
    })),
    unverified_roots: unverified.map(({ topology, agent }) => `nothing checks what ${agent} of ${topology} answers`),
  };
}
