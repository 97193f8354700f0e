import type { AgentNode } from '../../domain/agent-node.js';
import type { JsonObject } from '../../domain/json.js';

/** An agent as a graph is made of it: what `GET /api/topologies/{id}` and a workspace both know. */
export interface GraphAgent extends Pick<AgentNode, 'id' | 'skills' | 'funnel'> {
  /** `root`, `leader`, `worker`. */
  readonly role: string;
  /** What answers for it: `anthropic/claude-sonnet-5`, `harness claude-code`. */
  readonly answers: string;
  /** Ids of the siblings that it waits for. */
  readonly dependsOn: readonly string[];
  readonly children: readonly GraphAgent[];
}

export interface GraphTrigger {
  readonly id: string;
  /** `cron`, `webhook`, ... */
  readonly type: string;
  readonly enabled: boolean;
}

/** What a topology is, as far as a picture shows it. */
export interface GraphFacts {
  /** Without its version. */
  readonly name: string;
  readonly version: string;
  readonly description: string | null;
  readonly root: GraphAgent;
  /** What starts it, in order. */
  readonly triggers: readonly GraphTrigger[];
}

/** A box. `lines`: below its title, in order. */
export interface GraphNode {
  /** Made from its place in the tree, so that two of one name are two: `a`, `a.0`, `a.0.gate`. */
  readonly id: string;
  readonly kind: 'trigger' | 'agent' | 'gate';
  readonly title: string;
  readonly lines: readonly string[];
  /** Titles of what it waits for: siblings of the same topology, in order. */
  readonly after: readonly string[];
  /** What stands below it, in order. */
  readonly children: readonly GraphNode[];
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /**
   * A trigger starts, an agent asks, a gate is what its answer must pass, and an agent precedes the
   * sibling that waits for it.
   */
  readonly kind: 'starts' | 'asks' | 'passes' | 'precedes';
}

/** A topology as boxes and lines: text, Mermaid, SVG and the console draw the same one. */
export interface TopologyGraph {
  readonly name: string;
  readonly version: string;
  readonly description: string | null;
  readonly triggers: readonly GraphNode[];
  readonly root: GraphNode;
  /** Every box: triggers, then the root and what is below it, depth first. */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** Pure. */
export function graphOf({ name, version, description, root, triggers }: GraphFacts): TopologyGraph {
  const tree = agentNode(root, 'a');
  const starts = triggers.map(
    ({ id, type, enabled }, index): GraphNode => ({
      id: `t${index}`,
      kind: 'trigger',
      title: id,
      lines: [enabled ? type : `${type}, disabled`],
      after: [],
      children: [],
    }),
  );
  return {
    name,
    version,
    description,
    triggers: starts,
    root: tree,
    nodes: [...starts, ...nodesFrom(tree)],
    edges: [...starts.map((node): GraphEdge => ({ from: node.id, to: tree.id, kind: 'starts' })), ...edgesBelow(tree)],
  };
}

function agentNode({ id, role, answers, skills, funnel, dependsOn, children }: GraphAgent, place: string): GraphNode {
  const gate: readonly GraphNode[] =
    funnel === null ? [] : [{ id: `${place}.gate`, kind: 'gate', title: funnel, lines: [], after: [], children: [] }];
  return {
    id: place,
    kind: 'agent',
    title: id,
    lines: [role === 'worker' ? answers : `${role}, ${answers}`, ...skills],
    after: dependsOn,
    children: [...gate, ...children.map((child, index) => agentNode(child, `${place}.${index}`))],
  };
}

/** A graph as `--json` has it: every box once, and every line by the ids of its ends. */
export const toWireGraph = ({ name, version, description, nodes, edges }: TopologyGraph): JsonObject => ({
  topology: name,
  version,
  description,
  nodes: nodes.map(({ id, kind, title, lines }) => ({ id, kind, title, lines: [...lines] })),
  edges: edges.map(({ from, to, kind }) => ({ from, to, kind })),
});

const nodesFrom = (node: GraphNode): readonly GraphNode[] => [node, ...node.children.flatMap(nodesFrom)];

const edgesBelow = (node: GraphNode): readonly GraphEdge[] =>
  node.children.flatMap((child): readonly GraphEdge[] => [
    { from: node.id, to: child.id, kind: child.kind === 'gate' ? 'passes' : 'asks' },
    ...node.children
      .filter(({ kind, title }) => kind === 'agent' && child.after.includes(title))
      .map((first): GraphEdge => ({ from: first.id, to: child.id, kind: 'precedes' })),
    ...edgesBelow(child),
  ]);
