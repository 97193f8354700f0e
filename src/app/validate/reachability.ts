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
  message: wiring.why === null ? `${wiring.detail} is wired` : `${wiring.detail} is declared, and ${wiring.why}`,
});

const NAMED: ReadonlySet<string> = new Set(['capability', 'decision']);

/** Declarations minus wirings; `ok` = every declaration is wired. */
export function reachabilityOf(linked: Linked, wirings: readonly Wiring[]): ReachabilityReport {
  const unreachable = wirings.filter((wiring) => wiring.why !== null);
  return {
    ok: unreachable.length === 0,
    reachable: wirings.filter((wiring) => wiring.why === null).map(entryOf),
    unreachable: unreachable.map(entryOf),
    orphans: orphansOf(linked),
  };
}

/**
 * Funnels and skills that no agent, no decision binding and no judge names. Skills of other
 * categories than capability and decision are asked for by kit itself.
 */
function orphansOf({ topologies, skills, registries }: Linked): readonly ReachabilityEntry[] {
  const all = [...topologies.values()];
  const agents = all.flatMap(({ root }) => [...agentsOf(root)]);
  const funnels = new Set(agents.flatMap(({ funnel }) => (funnel === null ? [] : [funnel])));
  const used = new Set([
    ...agents.flatMap(({ skills: held }) => held),
    ...all.flatMap(({ decisions }) => decisions.map(({ skill }) => skill)),
    ...[...registries.funnels.values()].flatMap(({ value }) => value.judge?.skill ?? []),
  ]);
  const orphan = (kind: string, id: string, path: string, by: string): ReachabilityEntry => ({
    kind,
    key: `${kind}:${id}`,
    declaredOn: `${path}#`,
    required: false,
    detail: `${kind} ${id}`,
    message: `${kind} ${id} is declared, and ${by}`,
  });
  return [
    ...[...registries.funnels]
      .filter(([id]) => !funnels.has(id))
      .map(([id, { path }]) => orphan('funnel', id, path, 'no agent names it')),
    ...[...registries.skills]
      .filter(([id]) => !used.has(id) && NAMED.has(skills.get(id)?.category ?? ''))
      .map(([id, { path }]) => orphan('skill', id, path, 'no agent and no check names it')),
  ];
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
      const layers = [...inherent, ...names(own.filter((wiring) => wiring.why === null))];
      return {
        topology,
        agent: agent.id,
        isRoot: agent.pointer === '/agents/root',
        funnel: agent.funnel,
        layers,
        declared: [...inherent, ...names(own)],
        inert: names(own.filter((wiring) => wiring.why !== null)),
        verified: layers.length > 0,
      };
    }),
  );
}
