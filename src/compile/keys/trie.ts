import type { KeyRow } from './key-row.js';

/**
 * The key table by segments. `*` stands for any segment, `*_map` for a named lookup table of an
 * adapter.
 */
export interface KeyTrie {
  readonly row: KeyRow | null;
  readonly children: ReadonlyMap<string, KeyTrie>;
}

interface Building {
  row: KeyRow | null;
  readonly children: Map<string, Building>;
}

export function trieOf(rows: readonly KeyRow[]): KeyTrie {
  const root: Building = { row: null, children: new Map() };
  for (const row of rows) {
    let node = root;
    for (const segment of row.key.split('.')) {
      const next: Building = node.children.get(segment) ?? { row: null, children: new Map() };
      node.children.set(segment, next);
      node = next;
    }
    node.row = row;
  }
  // An agent's children are agents: the table says their keys once.
  const agents = root.children.get('Topology')?.children.get('agents');
  const agent = agents?.children.get('*');
  agent?.children.get('children')?.children.set('*', agent);
  return root;
}

/** The node below a segment, or null where the table says nothing. */
export function stepInto(node: KeyTrie, segment: string): KeyTrie | null {
  const exact = node.children.get(segment);
  if (exact !== undefined) return exact;
  if (segment.endsWith('_map')) return node.children.get('*_map') ?? node.children.get('*') ?? null;
  return node.children.get('*') ?? null;
}
