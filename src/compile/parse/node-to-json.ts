import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { Json } from '../../domain/json.js';
import { MAX_DEPTH } from '../../lib/is-deeper.js';
import type { AliasTargets } from './alias-targets.js';

/** A place in the text and what is wrong there. */
export interface NodeProblem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly help?: string;
  /** Where a key stood that is given a second time. */
  readonly first?: { readonly start: number; readonly end: number };
}

/**
 * Nodes of the tree with every alias written out. A thousand agents with all their keys stay far
 * below it.
 */
const MAX_NODES = 200_000;
/** Nodes that stand in the file itself. */
const MAX_WRITTEN = 100_000;

interface Walk {
  readonly targetOf: AliasTargets;
  readonly problems: NodeProblem[];
  /** Nodes that a problem was said of: behind aliases one mistake is met thousands of times. */
  readonly refused: Set<unknown>;
  /** Nodes between the root and here: an alias to one of them is a circle. */
  readonly open: Set<Node>;
  nodes: number;
  written: number;
  /** How many aliases lead to where the walk is. */
  aliases: number;
}

const rangeOf = (node: unknown): { start: number; end: number } => {
  const range =
    typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range) ? node.range : [0, 0];
  return { start: Number(range[0]), end: Number(range[1]) };
};

function refuse(walk: Walk, node: unknown, message: string, help?: string): null {
  if (walk.refused.has(node)) return null;
  walk.refused.add(node);
  walk.problems.push({ ...rangeOf(node), message, ...(help === undefined ? {} : { help }) });
  return null;
}

function scalarValue(walk: Walk, node: Node & { value: unknown }): Json {
  const { value } = node;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'number')
    return refuse(walk, node, 'the number is not finite', 'write a finite number, or quote the text');
  if (value === undefined) return null;
  return refuse(walk, node, 'the value has no JSON form', 'quote the text');
}

/** Text of a key; numbers and booleans count as they are written (`200: ok`). */
function keyText(walk: Walk, pair: Pair<unknown, unknown>): string | null {
  const { key } = pair;
  if (isScalar(key)) {
    if (typeof key.value === 'string') return key.value;
    if (typeof key.value === 'number' || typeof key.value === 'boolean')
      return typeof key.source === 'string' ? key.source : String(key.value);
  }
  return refuse(walk, key ?? pair.value, 'the key is not text', 'put the key in quotes');
}

function mapValue(walk: Walk, pairs: readonly Pair<unknown, unknown>[], depth: number): Json {
  const entries: (readonly [string, Json])[] = [];
  const seen = new Map<string, unknown>();
  for (const pair of pairs) {
    const key = keyText(walk, pair);
    if (key === null) continue;
    if (key === '<<') {
      refuse(
        walk,
        pair.key,
        'merge keys are not part of YAML 1.2',
        'repeat the keys, or name the whole block with an alias',
      );
      continue;
    }
    if (seen.has(key)) {
      if (walk.refused.has(pair.key)) continue;
      walk.refused.add(pair.key);
      walk.problems.push({
        ...rangeOf(pair.key),
        message: `the key \`${key}\` is given twice`,
        help: 'keep one of them',
        first: rangeOf(seen.get(key)),
      });
      continue;
    }
    seen.set(key, pair.key);
    entries.push([key, nodeValue(walk, pair.value, depth + 1)]);
  }
  // Never by assignment: `__proto__` is a key like any other.
  return Object.fromEntries(entries);
}

function nodeValue(walk: Walk, node: unknown, depth: number): Json {
  walk.nodes += 1;
  if (walk.nodes > MAX_NODES) {
    if (walk.nodes === MAX_NODES + 1)
      refuse(walk, node, 'the aliases of the file grow beyond bounds', 'write the values out');
    return null;
  }
  if (walk.aliases === 0) walk.written += 1;
  if (walk.written > MAX_WRITTEN) {
    if (walk.written === MAX_WRITTEN + 1 && walk.aliases === 0)
      refuse(walk, node, `the file holds more than ${MAX_WRITTEN} values`, 'divide it into several files');
    return null;
  }
  if (depth > MAX_DEPTH) return refuse(walk, node, `the file is nested deeper than ${MAX_DEPTH} levels`);
  if (isAlias(node)) return aliasValue(walk, node, depth);
  if (isScalar(node)) return scalarValue(walk, node);
  if (!isMap(node) && !isSeq(node)) return null;
  walk.open.add(node);
  const value = isMap(node)
    ? mapValue(walk, node.items, depth)
    : node.items.map((item) => nodeValue(walk, item, depth + 1));
  walk.open.delete(node);
  return value;
}

function aliasValue(walk: Walk, alias: Alias, depth: number): Json {
  const target = walk.targetOf(alias);
  if (target === undefined) return refuse(walk, alias, `the alias \`${alias.source}\` names no anchor`);
  if (walk.open.has(target))
    return refuse(walk, alias, `the alias \`${alias.source}\` leads into itself`, 'write the value out');
  walk.aliases += 1;
  const value = nodeValue(walk, target, depth);
  walk.aliases -= 1;
  return value;
}

/** The tree of a document as plain JSON, and what of it is none. Bounded in size and depth. */
export function toJson(
  root: unknown,
  targetOf: AliasTargets,
): { readonly value: Json; readonly problems: readonly NodeProblem[] } {
  const walk: Walk = { targetOf, problems: [], refused: new Set(), open: new Set(), nodes: 0, written: 0, aliases: 0 };
  const value = nodeValue(walk, root, 0);
  return { value, problems: walk.problems };
}
