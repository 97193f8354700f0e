import type { GraphNode, TopologyGraph } from '../../view/graph/topology-graph.js';
import { oneLine } from '../../view/lines/words.js';

const MAX_CHARS = 200;

const namesOf = (names: readonly string[]): string => names.map((name) => oneLine(name, MAX_CHARS)).join(', ');

const lineOf = ({ kind, title, lines, after }: GraphNode): string => {
  const [first, ...skills] = lines;
  const name = oneLine(title, MAX_CHARS);
  if (kind === 'gate') return `gate ${name}`;
  const holds = skills.length === 0 ? '' : `, holds ${namesOf(skills)}`;
  const waits = after.length === 0 ? '' : `, waits for ${namesOf(after)}`;
  return `${name} (${oneLine(first ?? '', MAX_CHARS)})${holds}${waits}`;
};

function below(nodes: readonly GraphNode[], indent: string): readonly string[] {
  return nodes.flatMap((node, index) => {
    const isLast = index === nodes.length - 1;
    return [
      `${indent}${isLast ? '└─ ' : '├─ '}${lineOf(node)}`,
      ...below(node.children, `${indent}${isLast ? '   ' : '│  '}`),
    ];
  });
}

/** As a tree of lines: what starts it, then who asks whom, each gate below its agent. */
export function graphLines({ name, version, description, triggers, root }: TopologyGraph): readonly string[] {
  return [
    `${oneLine(name, MAX_CHARS)} ${version}${description === null ? '' : `: ${oneLine(description, MAX_CHARS)}`}`,
    ...triggers.map((trigger) => `started by ${lineOf(trigger)}`),
    lineOf(root),
    ...below(root.children, ''),
  ];
}
