import { own } from '../lib/own.js';
import type { AgentView, RunView } from './run-view.js';

/**
 * Activations by who called them, in the order in which they began; null: nobody, or one that the
 * log does not know, so that nothing is lost.
 */
export function agentsByCaller(view: RunView): ReadonlyMap<string | null, readonly AgentView[]> {
  const found = new Map<string | null, AgentView[]>();
  for (const key of view.order) {
    const agent = own(view.agents, key);
    if (agent === undefined) continue;
    const caller = agent.parent !== null && Object.hasOwn(view.agents, agent.parent) ? agent.parent : null;
    const siblings = found.get(caller);
    if (siblings === undefined) found.set(caller, [agent]);
    else siblings.push(agent);
  }
  return found;
}

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
  const children = agentsByCaller(view);
  const rows = (parent: string | null, depth: number): AgentRow[] => {
    const siblings = children.get(parent) ?? [];
    return siblings.flatMap((agent, index) => [
      { agent, depth, isLastChild: index === siblings.length - 1 },
      ...rows(agent.activation, depth + 1),
    ]);
  };
  return rows(null, 0);
}
