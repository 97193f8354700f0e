import type { AgentNode } from '../../domain/workspace.js';

/** An agent and everything below it, parents first, in file order. */
export function agentsOf(root: AgentNode): readonly AgentNode[] {
  const found: AgentNode[] = [root];
  for (const child of root.children) found.push(...agentsOf(child));
  return found;
}

/** Ids of the adapters that agents of the tree are carried out by, each once. */
export const adapterRefsOf = (root: AgentNode): ReadonlySet<string> =>
  new Set([...agentsOf(root)].flatMap(({ executor }) => (executor.kind === 'harness' ? [executor.ref] : [])));
