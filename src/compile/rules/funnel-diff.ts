import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import { agentsOf } from '../link/walk-agents.js';
import type { Report } from '../report.js';

/**
 * `cited_change` explains a diff, and only an agent that changes files has one: for any other every
 * draft fails (docs/design/workspace.md#funnels).
 */
export function checkFunnelDiffs(linked: Linked, report: Report): void {
  for (const [key, topology] of linked.topologies) {
    const artifact = linked.registries.topologies.get(key);
    for (const agent of artifact === undefined ? [] : agentsOf(topology.root)) {
      const funnel = agent.funnel === null ? undefined : linked.funnels.get(agent.funnel);
      if (artifact === undefined || funnel?.validate?.citedChange !== true || agent.executor.kind !== 'model') continue;
      report.add(
        { artifact, pointer: pointerTo(agent.pointer, 'funnel') },
        {
          code: 'funnel.no-diff',
          severity: 'warning',
          message: `the funnel \`${funnel.id}\` asks for a cited change, and \`${agent.id}\` changes no files`,
          help: 'give the agent a harness, or remove cited_change: every draft fails it and goes to people',
        },
      );
    }
  }
}
