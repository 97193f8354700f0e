import type { Linked } from '../../compile/link/link-workspace.js';
import { agentsOf } from '../../compile/link/walk-agents.js';
import type { Wiring } from '../../compile/link/wirings.js';
import type { ReachabilityEntry, ReachabilityReport, VerificationEntry } from '../../view/validation-report.js';

const entryOf = (wiring: Wiring): ReachabilityEntry => ({
  kind: wiring.kind,
  key: wiring.key,
  declaredOn: wiring.declaredOn,
  required: wiring.required,
  detail: wiring.detail,
  message: wiring.isWired
    ? `${wiring.detail} is wired`
    : `${wiring.detail} is declared, and ${wiring.why ?? 'this version of kit does not run it'}`,
});

/** Declarations minus wirings; `ok` = every declaration is wired. */
export function reachabilityOf(wirings: readonly Wiring[]): ReachabilityReport {
  const unreachable = wirings.filter((wiring) => !wiring.isWired);
  return {
    ok: unreachable.length === 0,
    reachable: wirings.filter((wiring) => wiring.isWired).map(entryOf),
    unreachable: unreachable.map(entryOf),
  };
}

/**
 * Per agent, what looks at its output before it counts: its schema, decision skills after it, and
 * the layers of its funnel.
 */
export function verificationOf(linked: Linked, wirings: readonly Wiring[]): readonly VerificationEntry[] {
  return [...linked.topologies].flatMap(([topology, linkedTopology]) =>
    [...agentsOf(linkedTopology.root)].map((agent): VerificationEntry => {
      const own = wirings.filter(
        (wiring) => wiring.topology === topology && wiring.agent === agent.id && wiring.layer !== null,
      );
      const names = (list: readonly Wiring[]) =>
        list.flatMap((wiring) => (wiring.layer === null ? [] : [wiring.layer]));
      const judges = linkedTopology.decisions.filter(
        ({ trigger, agents }) => trigger === 'post_output' && (agents === null || agents.includes(agent.id)),
      );
      const inherent = [
        ...(agent.outputSchema === null ? [] : ['output_schema']),
        ...judges.map(({ skill }) => `decision:${skill}`),
      ];
      const layers = [...inherent, ...names(own.filter((wiring) => wiring.isWired))];
      return {
        topology,
        agent: agent.id,
        isRoot: agent.pointer === '/agents/root',
        funnel: agent.funnel,
        layers,
        declared: [...inherent, ...names(own)],
        inert: names(own.filter((wiring) => !wiring.isWired)),
        verified: layers.length > 0,
      };
    }),
  );
}
