import type { GraphEdge, GraphNode, TopologyGraph } from './topology-graph.js';

/** A box at its place; all in pixels, from the top left. */
export interface PlacedNode {
  readonly node: GraphNode;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  /** From the bottom of one box to the top of the other; below both where one precedes. */
  readonly lines: readonly PlacedLine[];
}

export interface PlacedLine {
  readonly edge: GraphEdge;
  /** `d` of a path of SVG. */
  readonly path: string;
}

/** How boxes are measured; `charWidth` is that of the font in which they are written. */
export const GRAPH_BOX = {
  charWidth: 7.5,
  lineHeight: 18,
  padding: 10,
  /** Between two boxes beside each other. */
  gap: 20,
  /** Between two rows. */
  rowGap: 44,
  margin: 16,
  minWidth: 90,
  /** Longer text ends with dots. */
  maxChars: 36,
} as const;

export const graphText = (text: string): string =>
  text.length > GRAPH_BOX.maxChars ? `${text.slice(0, GRAPH_BOX.maxChars - 1)}…` : text;

interface Size {
  readonly width: number;
  readonly height: number;
}

function sizeOf({ title, lines }: GraphNode): Size {
  const longest = Math.max(...[title, ...lines].map((text) => graphText(text).length));
  return {
    width: Math.max(GRAPH_BOX.minWidth, Math.ceil(longest * GRAPH_BOX.charWidth) + 2 * GRAPH_BOX.padding),
    height: (1 + lines.length) * GRAPH_BOX.lineHeight + 2 * GRAPH_BOX.padding,
  };
}

/** Width of a node with everything below it. */
const spanOf = (node: GraphNode): number => Math.max(sizeOf(node).width, rowWidth(node.children));
const rowWidth = (nodes: readonly GraphNode[]): number =>
  nodes.reduce((sum, node) => sum + spanOf(node), 0) + GRAPH_BOX.gap * Math.max(0, nodes.length - 1);

/** The greatest height of each row, from the root on. */
function rowHeights(node: GraphNode): readonly number[] {
  const below = node.children.map(rowHeights);
  const deepest = Math.max(0, ...below.map(({ length }) => length));
  return [
    sizeOf(node).height,
    ...Array.from({ length: deepest }, (_, row) => Math.max(...below.map((heights) => heights[row] ?? 0))),
  ];
}

/**
 * Each box above the middle of what stands below it, triggers above the root. A topology is a tree,
 * so no two lines cross, but those to who waits. Pure.
 */
export function layoutOf({ triggers, root, edges }: TopologyGraph): GraphLayout {
  const { margin, gap, rowGap } = GRAPH_BOX;
  const above = rowWidth(triggers);
  const inner = Math.max(spanOf(root), above);
  const heights = [
    ...(triggers.length === 0 ? [] : [Math.max(...triggers.map((node) => sizeOf(node).height))]),
    ...rowHeights(root),
  ];
  const tops = heights.map(
    (_, row) => margin + heights.slice(0, row).reduce((sum, height) => sum + height + rowGap, 0),
  );
  const nodes: PlacedNode[] = [];

  function place(node: GraphNode, left: number, row: number): void {
    const span = spanOf(node);
    const size = sizeOf(node);
    nodes.push({ node, x: left + (span - size.width) / 2, y: tops[row] ?? margin, ...size });
    placeRow(node.children, left + (span - rowWidth(node.children)) / 2, row + 1);
  }
  function placeRow(row: readonly GraphNode[], left: number, at: number): void {
    let x = left;
    for (const node of row) {
      place(node, x, at);
      x += spanOf(node) + gap;
    }
  }

  placeRow(triggers, margin + (inner - above) / 2, 0);
  place(root, margin + (inner - spanOf(root)) / 2, triggers.length === 0 ? 0 : 1);
  const height = heights.reduce((sum, one) => sum + one, 0) + rowGap * (heights.length - 1);
  const places = new Map(nodes.map((placed) => [placed.node.id, placed]));
  const lines = edges.flatMap((edge): readonly PlacedLine[] => {
    const [above, below] = [places.get(edge.from), places.get(edge.to)];
    return above === undefined || below === undefined
      ? []
      : [{ edge, path: edge.kind === 'precedes' ? arc(above, below) : curve(above, below) }];
  });
  return { width: Math.ceil(inner + 2 * margin), height: Math.ceil(height + 2 * margin), nodes, lines };
}

function curve(above: PlacedNode, below: PlacedNode): string {
  const [x1, y1] = [above.x + above.width / 2, above.y + above.height];
  const [x2, y2] = [below.x + below.width / 2, below.y];
  const middle = (y1 + y2) / 2;
  return `M${x1} ${y1} C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
}

/** Between two boxes of one row, through the free space below it. */
function arc(first: PlacedNode, second: PlacedNode): string {
  const [x1, y1] = [first.x + first.width / 2, first.y + first.height];
  const [x2, y2] = [second.x + second.width / 2, second.y + second.height];
  const deepest = Math.max(y1, y2) + GRAPH_BOX.margin;
  return `M${x1} ${y1} C${x1} ${deepest} ${x2} ${deepest} ${x2} ${y2}`;
}
