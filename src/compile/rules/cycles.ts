/**
 * One cycle of a graph, as the nodes on it from its first member in the given order; each cycle is
 * found once.
 */
export function findCycles(
  nodes: Iterable<string>,
  next: (node: string) => readonly string[],
): readonly (readonly string[])[] {
  const done = new Set<string>();
  const cycles: (readonly string[])[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    const at = path.indexOf(node);
    if (at >= 0) {
      cycles.push(path.slice(at));
      return;
    }
    if (done.has(node)) return;
    for (const target of next(node)) visit(target, [...path, node]);
    done.add(node);
  };
  for (const node of nodes) visit(node, []);
  return cycles;
}
