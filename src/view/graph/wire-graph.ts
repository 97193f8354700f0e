import type { JsonObject } from '../../domain/json.js';
import type { TopologyGraph } from './topology-graph.js';

/** A graph as `--json` has it: every box once, and every line by the ids of its ends. */
export const toWireGraph = ({ name, version, description, nodes, edges }: TopologyGraph): JsonObject => ({
  topology: name,
  version,
  description,
  nodes: nodes.map(({ id, kind, title, lines }) => ({ id, kind, title, lines: [...lines] })),
  edges: edges.map(({ from, to, kind }) => ({ from, to, kind })),
});
