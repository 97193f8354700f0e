import type { AgentView, RunView } from './run-view.js';

/** One line of the tree of agents. */
export interface AgentRow {
  readonly agent: AgentView;
  /** 0 for the root. */
  readonly depth: number;
  readonly isLastChild: boolean;
}

/**
 * Activations in tree order: each caller before what it called, siblings in the order in which they
 * began.
 */
export function agentTree(view: RunView): readonly AgentRow[] {
  const children = new Map<string | null, AgentView[]>();
  for (const key of view.order) {
    const agent = view.agents[key];
    if (agent === undefined) continue;
    const parent = agent.parent !== null && Object.hasOwn(view.agents, agent.parent) ? agent.parent : null;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [agent]);
    else siblings.push(agent);
  }
  const rows = (parent: string | null, depth: number): AgentRow[] => {
    const siblings = children.get(parent) ?? [];
    return siblings.flatMap((agent, index) => [
      { agent, depth, isLastChild: index === siblings.length - 1 },
      ...rows(agent.activation, depth + 1),
    ]);
  };
  return rows(null, 0);
}
