import type { AgentNode } from '../domain/agent-node.js';

/** By the children of a snapshot's agent, which all runs of a topology share. */
const known = new WeakMap<readonly AgentNode[], readonly (readonly AgentNode[])[]>();

/**
 * Children in topological layers of `depends_on`, in their own order inside a layer. Cycles were
 * refused at load.
 */
export function dependencyWaves(children: readonly AgentNode[]): readonly (readonly AgentNode[])[] {
  const before = known.get(children);
  if (before !== undefined) return before;
  const ids = new Set(children.map((child) => child.id));
  const scheduled = new Set<string>();
  const waves: AgentNode[][] = [];
  while (scheduled.size < children.length) {
    const wave = children.filter(
      (child) => !scheduled.has(child.id) && child.dependsOn.every((id) => scheduled.has(id) || !ids.has(id)),
    );
    if (wave.length === 0) throw new Error('depends_on holds a cycle');
    for (const child of wave) scheduled.add(child.id);
    waves.push(wave);
  }
  known.set(children, waves);
  return waves;
}
