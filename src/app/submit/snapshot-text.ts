import type { RunSnapshot } from '../../domain/snapshot.js';
import { canonicalJson } from '../../lib/canonical-json.js';

/**
 * The bytes of a snapshot. The tree of agents, the skills and the variables are most of it, and the
 * same objects in each one of a topology: their texts are kept.
 */
export function snapshotText(snapshot: RunSnapshot, texts: WeakMap<object, string> = new WeakMap()): Uint8Array {
  for (const part of partsOf(snapshot)) if (!texts.has(part)) texts.set(part, canonicalJson(part));
  return new TextEncoder().encode(canonicalJson(snapshot, texts));
}

const partsOf = ({ topology, skills, env, children = {} }: RunSnapshot): readonly object[] => [
  topology.root,
  env,
  ...Object.values(skills),
  ...Object.values(children).flatMap((child) => ('refused' in child ? [] : partsOf(child.snapshot))),
];
