import { type Alias, isAlias, isMap, isNode, isPair, isSeq, type Node } from 'yaml';

/**
 * The node that an alias names: the last one before it that carries the anchor; undefined when
 * there is none.
 */
export type AliasTargets = (alias: Alias) => Node | undefined;

/**
 * In the order of the text, with a stack of its own: a file may be nested deeper than calls can be.
 */
function* nodesOf(root: unknown): Generator<Node> {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const next = open.pop();
    if (isPair(next)) open.push(next.value, next.key);
    else if (isNode(next)) {
      yield next;
      if (isMap(next) || isSeq(next))
        for (let index = next.items.length - 1; index >= 0; index--) open.push(next.items[index]);
    }
  }
}

function resolveAll(root: unknown): ReadonlyMap<Alias, Node> {
  const targets = new Map<Alias, Node>();
  const anchored = new Map<string, Node>();
  for (const node of nodesOf(root)) {
    if (isAlias(node)) {
      const target = anchored.get(node.source);
      if (target !== undefined) targets.set(node, target);
    } else if (typeof node.anchor === 'string') anchored.set(node.anchor, node);
  }
  return targets;
}

/**
 * Resolves every alias of a document in one walk, at the first question. The parser's own way walks
 * the whole document for each alias each time it is met: twelve kilobytes of aliases of aliases
 * took minutes.
 */
export function aliasTargets(root: unknown): AliasTargets {
  let targets: ReadonlyMap<Alias, Node> | undefined;
  return (alias) => {
    targets ??= resolveAll(root);
    return targets.get(alias);
  };
}
