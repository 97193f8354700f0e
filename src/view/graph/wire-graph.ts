import type { JsonObject } from '../../domain/json.js';
import type { GraphNode, TopologyGraph } from './topology-graph.js';

/** A graph as `--json` has it: every box once, and every line by the ids of its ends. */
export const toWireGraph = ({ name, version, description, triggers, root, edges }: TopologyGraph): JsonObject => ({
  topology: name,
  version,
  description,
  nodes: [...triggers, ...allOf(root)].map(({ id, kind, title, lines }) => ({ id, kind, title, lines: [...lines] })),
  edges: edges.map(({ from, to, kind }) => ({ from, to, kind })),
});

const allOf = (node: GraphNode): readonly GraphNode[] => [node, ...node.children.flatMap(allOf)];
