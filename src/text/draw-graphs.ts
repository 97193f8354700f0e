import { assertNever } from '../lib/assert-never.js';
import type { TopologyGraph } from '../view/graph/topology-graph.js';
import { graphMermaid } from './graph/mermaid.js';
import { graphSvg } from './graph/svg.js';
import { graphLines } from './graph/text.js';

export const GRAPH_FORMATS = ['text', 'mermaid', 'svg'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

/** One below the other, with a blank line between them. A picture is of one alone. */
export const drawGraphs = (graphs: readonly TopologyGraph[], format: GraphFormat): string =>
  graphs.map((graph) => drawGraph(graph, format)).join('\n\n');

function drawGraph(graph: TopologyGraph, format: GraphFormat): string {
  switch (format) {
    case 'text':
      return graphLines(graph).join('\n');
    case 'mermaid':
      return graphMermaid(graph);
    case 'svg':
      return graphSvg(graph);
    default:
      return assertNever(format);
  }
}
