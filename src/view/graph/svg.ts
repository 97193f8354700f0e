import { GRAPH_BOX, graphText, layoutOf, type PlacedNode } from './layout.js';
import type { GraphNode, TopologyGraph } from './topology-graph.js';

/** Text of files, in an element or an attribute. What XML cannot hold is a question mark. */
const escaped = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '?').replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const FILLS: Readonly<Record<GraphNode['kind'], string>> = { trigger: '#eef2f7', agent: '#ffffff', gate: '#fff4d6' };

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

/** As a picture that stands alone: no script, no font and no address in it. */
export function graphSvg(graph: TopologyGraph): string {
  const { width, height, nodes } = layoutOf(graph);
  const places = new Map(nodes.map((placed) => [placed.node.id, placed]));
  const lines = graph.edges.flatMap(({ from, to, kind }) => {
    const [a, b] = [places.get(from), places.get(to)];
    if (a === undefined || b === undefined) return [];
    const [x1, y1, x2, y2] = [a.x + a.width / 2, a.y + a.height, b.x + b.width / 2, b.y];
    const middle = (y1 + y2) / 2;
    return `<path d="M${x1} ${y1} C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}" fill="none" stroke="#57606a"${kind === 'passes' ? ' stroke-dasharray="4 3"' : ''}/>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, monospace" font-size="12">`,
    `<title>${escaped(`${graph.name} ${graph.version}`)}</title>`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    ...lines,
    ...nodes.map(box),
    '</svg>',
  ].join('\n');
}
