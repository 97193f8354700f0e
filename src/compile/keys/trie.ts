import { SCHEMA_KEYS } from '../generated/keys.js';

/**
 * Keys of the schemas by segments. `*` stands for any segment, `*_map` for a named lookup table of
 * an adapter.
 */
export interface KeyTrie {
  readonly children: ReadonlyMap<string, KeyTrie>;
}

interface Building {
  readonly children: Map<string, Building>;
}

let known: KeyTrie | undefined;

/** The keys of every schema, put together when they are first asked for. */
export function schemaKeys(): KeyTrie {
  known ??= trieOf(SCHEMA_KEYS);
  return known;
}

function trieOf(keys: readonly string[]): KeyTrie {
  const root: Building = { children: new Map() };
  for (const key of keys) {
    let node = root;
    for (const segment of key.split('.')) {
      const next: Building = node.children.get(segment) ?? { children: new Map() };
      node.children.set(segment, next);
      node = next;
    }
  }
  // An agent's children are agents: the schemas say their keys once.
  const agents = root.children.get('Topology')?.children.get('agents');
  const agent = agents?.children.get('*');
  agent?.children.get('children')?.children.set('*', agent);
  return root;
}

/** The node below a segment, or null where the schemas say nothing. */
export function stepInto(node: KeyTrie, segment: string): KeyTrie | null {
  const exact = node.children.get(segment);
  if (exact !== undefined) return exact;
  if (segment.endsWith('_map')) return node.children.get('*_map') ?? node.children.get('*') ?? null;
  return node.children.get('*') ?? null;
}
