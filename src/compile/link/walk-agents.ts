import type { AgentNode } from '../../domain/workspace.js';

/** An agent and everything below it, parents first, in file order. */
export function* agentsOf(root: AgentNode): Generator<AgentNode> {
  yield root;
  for (const child of root.children) yield* agentsOf(child);
}

/** Ids of the adapters that agents of the tree are carried out by, each once. */
export const adapterRefsOf = (root: AgentNode): ReadonlySet<string> =>
  new Set([...agentsOf(root)].flatMap(({ executor }) => (executor.kind === 'harness' ? [executor.ref] : [])));
