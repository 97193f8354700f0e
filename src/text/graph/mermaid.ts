import type { GraphEdge, GraphNode, TopologyGraph } from '../../view/graph/topology-graph.js';

/** Everything but letters, digits and harmless marks as a character code: names come from files. */
const escaped = (text: string): string =>
  text.replace(/[^\p{L}\p{N} .,_/@:-]/gu, (char) => `#${char.codePointAt(0) ?? 0};`);

const idOf = (id: string): string => id.replaceAll('.', '_');

function nodeText({ id, kind, title, lines }: GraphNode): string {
  const label = `"${[title, ...lines].map(escaped).join('<br/>')}"`;
  switch (kind) {
    case 'trigger':
      return `${idOf(id)}([${label}])`;
    case 'agent':
      return `${idOf(id)}[${label}]`;
    case 'gate':
      return `${idOf(id)}{{${label}}}`;
  }
}

const ARROWS: Readonly<Record<GraphEdge['kind'], string>> = {
  starts: '-->',
  asks: '-->',
  passes: '-.->',
  precedes: '-. then .->',
};

/** As a Mermaid flowchart, which Markdown pages of GitHub and GitLab draw. */
export function graphMermaid({ nodes, edges }: TopologyGraph): string {
  const arrows = edges.map(({ from, to, kind }) => `${idOf(from)} ${ARROWS[kind]} ${idOf(to)}`);
  return ['flowchart TD', ...[...nodes.map(nodeText), ...arrows].map((line) => `  ${line}`)].join('\n');
}
