import { isAlias, isMap, isNode, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { SourceFile, Span } from '../../domain/diagnostic.js';
import { pointerParts } from '../../lib/json-pointer.js';
import type { AliasTargets } from './alias-targets.js';

/** One step from a node: the pair that was taken (in a mapping) and the node behind it. */
interface Step {
  readonly key: Node | null;
  readonly value: Node | null;
}

const keyName = (pair: Pair<unknown, unknown>): string | null => {
  if (!isScalar(pair.key)) return null;
  return typeof pair.key.value === 'string' || typeof pair.key.source !== 'string'
    ? String(pair.key.value)
    : pair.key.source;
};

const partsOf = (pointer: string): readonly string[] => (pointer.startsWith('/') ? pointerParts(pointer) : []);

function stepInto(node: Node, part: string): Step | null {
  if (isMap(node)) {
    const pair = node.items.find((item) => keyName(item) === part);
    if (pair === undefined) return null;
    return { key: isNode(pair.key) ? pair.key : null, value: isNode(pair.value) ? pair.value : null };
  }
  if (!isSeq(node) || !/^\d+$/.test(part)) return null;
  const item: unknown = node.items[Number(part)];
  return isNode(item) ? { key: null, value: item } : null;
}

/** Looks up places by pointer. What lies behind an alias is found where it is written. */
export function makeSpans(
  source: SourceFile,
  root: Node,
  targetOf: AliasTargets,
): Pick<{ spanOf(pointer: string): Span; keySpanOf(pointer: string): Span }, 'spanOf' | 'keySpanOf'> {
  const behind = (node: Node): Node => (isAlias(node) ? (targetOf(node) ?? node) : node);
  const spanOfNode = (node: Node): Span => {
    const [start, end] = node.range ?? [0, 0];
    return trimmed(source, start, end);
  };
  const walk = (pointer: string): { readonly step: Step; readonly isWhole: boolean } => {
    let step: Step = { key: null, value: root };
    for (const part of partsOf(pointer)) {
      const next = step.value === null ? null : stepInto(behind(step.value), part);
      if (next === null) return { step, isWhole: false };
      step = next;
    }
    return { step, isWhole: true };
  };
  const place = (step: Step): Node => step.value ?? step.key ?? root;
  return {
    spanOf: (pointer) => spanOfNode(place(walk(pointer).step)),
    keySpanOf: (pointer) => {
      const { step, isWhole } = walk(pointer);
      return spanOfNode(isWhole ? (step.key ?? place(step)) : place(step));
    },
  };
}

/**
 * A block collection's range runs to the beginning of the next line; what is underlined ends with
 * its last character.
 */
function trimmed(source: SourceFile, from: number, to: number): Span {
  const start = Math.min(from, source.text.length);
  let end = Math.max(start, Math.min(to, source.text.length));
  while (end > start && /\s/.test(source.text[end - 1] ?? '')) end -= 1;
  return { path: source.path, start, end };
}
