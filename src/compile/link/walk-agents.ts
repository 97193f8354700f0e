import type { AgentNode } from '../../domain/workspace.js';

/** An agent and everything below it, parents first, in file order. */
export function* agentsOf(root: AgentNode): Generator<AgentNode> {
  yield root;
  for (const child of root.children) yield* agentsOf(child);
}
