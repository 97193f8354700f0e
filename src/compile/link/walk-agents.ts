import type { AgentNode } from '../../domain/agent-node.js';
import type { LinkedFunnel } from '../../domain/linked-funnel.js';

/** An agent and everything below it, parents first, in file order. */
export function agentsOf(root: AgentNode): readonly AgentNode[] {
  const found: AgentNode[] = [root];
  for (const child of root.children) found.push(...agentsOf(child));
  return found;
}

/** Ids of the adapters that these agents are carried out by, each once. */
export const adapterRefsOf = (agents: readonly AgentNode[]): ReadonlySet<string> =>
  new Set(agents.flatMap(({ executor }) => (executor.kind === 'harness' ? [executor.ref] : [])));

/** Where a funnel is looked up by id. */
export type FindFunnel = (id: string) => LinkedFunnel | undefined;

/** Funnels that some agent of the tree names, each once, in tree order. */
export const funnelsOf = (root: AgentNode, find: FindFunnel): readonly LinkedFunnel[] =>
  [...new Set([...agentsOf(root)].flatMap((agent) => (agent.funnel === null ? [] : [agent.funnel])))].flatMap(
    (id) => find(id) ?? [],
  );

/** Everybody who may work in a run: the agents of the tree, then the reviewers of their funnels. */
export const workersOf = (root: AgentNode, find: FindFunnel): readonly AgentNode[] => [
  ...agentsOf(root),
  ...funnelsOf(root, find).flatMap((funnel) => (funnel.review === null ? [] : [funnel.review.reviewer])),
];
