import { GRAPH_BOX, graphText, layoutOf, type PlacedNode } from '../../view/graph/layout.js';
import type { GraphEdge, GraphNode, TopologyGraph } from '../../view/graph/topology-graph.js';

/** Text of files, in an element or an attribute. What XML cannot hold is a question mark. */
const escaped = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '?').replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const FILLS: Readonly<Record<GraphNode['kind'], string>> = { trigger: '#eef2f7', agent: '#ffffff', gate: '#fff4d6' };

/** A solid line asks, a dashed one leads to a gate, a dotted one to who waits. */
const DASHES: Readonly<Record<GraphEdge['kind'], string>> = {
  starts: '',
  asks: '',
  passes: ' stroke-dasharray="4 3"',
  precedes: ' stroke-dasharray="1 3" marker-end="url(#then)"',
};

function box({ node, x, y, width, height }: PlacedNode): string {
  const { padding, lineHeight } = GRAPH_BOX;
  const rounding = node.kind === 'agent' ? 4 : 16;
  const texts = [node.title, ...node.lines].map(
    (text, index) =>
      `<text x="${x + padding}" y="${y + padding + lineHeight * (index + 0.75)}"${index === 0 ? ' font-weight="bold"' : ' fill="#57606a"'}>${escaped(graphText(text))}</text>`,
  );
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${rounding}" fill="${FILLS[node.kind]}" stroke="#57606a"/>`,
    ...texts,
  ].join('\n');
}

/** The head of an arrow to who waits: that line runs between boxes of one row. */
const ARROW =
  '<defs><marker id="then" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><polygon points="0,0 8,4 0,8" fill="#57606a"/></marker></defs>';

/** As a picture that stands alone: no script, no font and no address in it. */
export function graphSvg(graph: TopologyGraph): string {
  const { width, height, nodes, lines } = layoutOf(graph);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, monospace" font-size="12">`,
    `<title>${escaped(`${graph.name} ${graph.version}`)}</title>`,
    ...(lines.some(({ edge }) => edge.kind === 'precedes') ? [ARROW] : []),
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    ...lines.map(({ edge, path }) => `<path d="${path}" fill="none" stroke="#57606a"${DASHES[edge.kind]}/>`),
    ...nodes.map(box),
    '</svg>',
  ].join('\n');
}
