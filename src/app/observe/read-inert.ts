import { heldSkills } from '../../compile/link/held-skills.js';
import { agentsOf } from '../../compile/link/walk-agents.js';
import type { AgentNode } from '../../domain/agent-node.js';
import type { StoredEvent } from '../../domain/events.js';
import type { Job } from '../../domain/job.js';
import type { EventLog } from '../../domain/ports/event-log.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { RunSnapshot } from '../../domain/snapshot.js';
import { decodeSnapshot } from '../../worker/snapshot.js';
import type { InertBinding } from './observe-app.js';
import { newestFirst, topologyName } from './select-runs.js';

const PAGE = 1000;

/**
 * What the newest run of each topology had wired and no run of it ever used: children that were
 * never asked, and skills that an agent could call and never did. The snapshots of the runs say
 * what was wired, so that the YAML of today is not needed.
 */
export async function readInert(stores: Stores): Promise<readonly InertBinding[]> {
  const newest = new Map<string, { readonly job: Job; runs: number }>();
  for await (const job of newestFirst(stores.jobs, PAGE)) {
    const known = newest.get(topologyName(job));
    if (known === undefined) newest.set(topologyName(job), { job, runs: 1 });
    else known.runs += 1;
  }
  const fired = await firedBindings(stores.events);
  const found: InertBinding[] = [];
  for (const [topology, { job, runs }] of newest) {
    const unused = bindingsOf(await decodeSnapshot(stores.blobs, job)).filter(
      (binding) => !fired.has(keyOf(topology, binding)),
    );
    const unasked = new Set(unused.flatMap(({ agent, skill }) => (skill === null ? [agent] : [])));
    // The skills of an agent that was never asked could not fire: the agent says it.
    found.push(
      ...unused
        .filter(({ agent, skill }) => skill === null || !unasked.has(agent))
        .map((binding) => ({ topology, runs, ...binding })),
    );
  }
  return found;
}

type Binding = Pick<InertBinding, 'agent' | 'skill'>;

const keyOf = (topology: string, { agent, skill }: Binding): string => JSON.stringify([topology, agent, skill]);

function bindingsOf(snapshot: RunSnapshot): readonly Binding[] {
  const skills = (node: AgentNode): readonly Binding[] =>
    node.executor.kind === 'model' ? heldSkills(snapshot, node).map(({ id }) => ({ agent: node.id, skill: id })) : [];
  return agentsOf(snapshot.topology.root).flatMap((node) => [{ agent: node.id, skill: null }, ...skills(node)]);
}

async function firedBindings(events: EventLog): Promise<ReadonlySet<string>> {
  const fired = new Set<string>();
  let after = '';
  while (true) {
    const page = await events.read({
      types: ['agent.started', 'skill.executed'],
      limit: PAGE,
      ...(after === '' ? {} : { after }),
    });
    for (const event of page.events) {
      if (event.agentId !== null)
        fired.add(keyOf(topologyName({ topology: event.topologyId }), { agent: event.agentId, skill: skillOf(event) }));
    }
    if (!page.hasMore) return fired;
    after = page.nextCursor;
  }
}

const skillOf = (event: StoredEvent): string | null => (event.type === 'skill.executed' ? event.skillId : null);
