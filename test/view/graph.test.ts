import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../src/lib/seeded.js';
import { drawGraphs, GRAPH_FORMATS } from '../../src/text/draw-graphs.js';
import { graphMermaid } from '../../src/text/graph/mermaid.js';
import { graphSvg } from '../../src/text/graph/svg.js';
import { graphLines } from '../../src/text/graph/text.js';
import { layoutOf, type PlacedNode } from '../../src/view/graph/layout.js';
import { type GraphAgent, graphOf, type TopologyGraph, toWireGraph } from '../../src/view/graph/topology-graph.js';

const agent = (id: string, more: Partial<GraphAgent> = {}): GraphAgent => ({
  id,
  role: 'worker',
  answers: 'mock/m1',
  skills: [],
  funnel: null,
  dependsOn: [],
  children: [],
  ...more,
});

const REVIEW = graphOf({
  name: 'review',
  version: '1.0.0',
  description: 'Reviews a change.',
  root: agent('lead', {
    role: 'root',
    funnel: 'two-people',
    children: [
      agent('reader', { skills: ['read-file', 'search'], children: [agent('helper')] }),
      agent('coder', { answers: 'harness claude-code', dependsOn: ['reader', 'elsewhere'] }),
    ],
  }),
  triggers: [
    { id: 'nightly', type: 'cron', enabled: true },
    { id: 'by-hand', type: 'manual', enabled: false },
  ],
});

describe('the graph of a topology', () => {
  it('is a tree of lines', () => {
    expect(graphLines(REVIEW)).toEqual([
      'review 1.0.0: Reviews a change.',
      'started by nightly (cron)',
      'started by by-hand (manual, disabled)',
      'lead (root, mock/m1)',
      '├─ gate two-people',
      '├─ reader (mock/m1), holds read-file, search',
      '│  └─ helper (mock/m1)',
      '└─ coder (harness claude-code), waits for reader, elsewhere',
    ]);
  });

  it('is a flowchart of Mermaid', () => {
    expect(graphMermaid(REVIEW).split('\n')).toEqual([
      'flowchart TD',
      '  t0(["nightly<br/>cron"])',
      '  t1(["by-hand<br/>manual, disabled"])',
      '  a["lead<br/>root, mock/m1"]',
      '  a_gate{{"two-people"}}',
      '  a_0["reader<br/>mock/m1<br/>read-file<br/>search"]',
      '  a_0_0["helper<br/>mock/m1"]',
      '  a_1["coder<br/>harness claude-code"]',
      '  t0 --> a',
      '  t1 --> a',
      '  a -.-> a_gate',
      '  a --> a_0',
      '  a_0 --> a_0_0',
      '  a --> a_1',
      '  a_0 -. then .-> a_1',
    ]);
  });

  it('is boxes and lines as JSON, each end of a line a box', () => {
    const { nodes, edges } = toWireGraph(REVIEW) as unknown as {
      nodes: { id: string }[];
      edges: { from: string; to: string }[];
    };
    const ids = nodes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(edges).toHaveLength(7);
    for (const { from, to } of edges) expect([ids.includes(from), ids.includes(to)]).toEqual([true, true]);
  });

  it.each([...GRAPH_FORMATS])('as %s, text of files starts nothing, and takes no line of its own', (format) => {
    const hostile = '</text><script>alert(1)</script>"]\n  click a "javascript:x"\u001b[31m';
    const graph = graphOf({
      name: hostile,
      version: '1.0.0',
      description: hostile,
      root: agent(hostile, { skills: [hostile], funnel: hostile }),
      triggers: [{ id: hostile, type: 'cron', enabled: true }],
    });
    const drawn = drawGraphs([graph], format);
    const plain = drawGraphs([{ ...graph, ...sameShape(graph) }], format);
    expect(drawn.split('\n')).toHaveLength(plain.split('\n').length);
    expect(drawn.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    if (format !== 'text') expect(drawn).not.toMatch(/<script|"\]\s*click/);
  });
});

/** The same boxes with harmless titles. */
function sameShape(graph: TopologyGraph): Pick<TopologyGraph, 'name' | 'description' | 'root' | 'triggers'> {
  const root = agent('x', { skills: ['y'], funnel: 'z' });
  return graphOf({ ...graph, name: 'n', description: 'd', root, triggers: [{ id: 't', type: 'cron', enabled: true }] });
}

/** A tree that the seed decides. */
function anyTree(random: () => number, depth: number): GraphAgent {
  const many = depth === 0 ? 0 : Math.floor(random() * 4);
  return agent('a'.repeat(1 + Math.floor(random() * 60)), {
    skills: Array.from({ length: Math.floor(random() * 5) }, (_, n) => `skill-${n}`),
    funnel: random() < 0.3 ? 'gate' : null,
    children: Array.from({ length: many }, () => anyTree(random, depth - 1)),
  });
}

const overlap = (a: PlacedNode, b: PlacedNode): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe('the places of the boxes', () => {
  it('are apart from each other, inside the picture, and below who asks', () => {
    const random = randomFrom(1);
    for (let round = 0; round < 200; round++) {
      const triggers = Array.from({ length: Math.floor(random() * 3) }, (_, n) => ({
        id: `t${n}`,
        type: 'cron',
        enabled: true,
      }));
      const graph = graphOf({ name: 'n', version: '1.0.0', description: null, root: anyTree(random, 3), triggers });
      const { nodes, width, height } = layoutOf(graph);
      expect(nodes).toHaveLength(new Set(nodes.map(({ node }) => node.id)).size);
      const clashes = nodes.filter((a, at) => nodes.slice(at + 1).some((b) => overlap(a, b)));
      expect(clashes).toEqual([]);
      for (const { x, y, width: w, height: h } of nodes)
        expect([x >= 0, y >= 0, x + w <= width, y + h <= height]).toEqual([true, true, true, true]);
      const places = new Map(nodes.map((placed) => [placed.node.id, placed]));
      for (const { from, to } of graph.edges) {
        const [above, below] = [places.get(from), places.get(to)];
        expect((above?.y ?? Number.NaN) + (above?.height ?? 0)).toBeLessThan(below?.y ?? Number.NaN);
      }
    }
  });

  it('of the picture are those of the layout', () => {
    const svg = graphSvg(REVIEW);
    for (const { x, y } of layoutOf(REVIEW).nodes) expect(svg).toContain(`<rect x="${x}" y="${y}" `);
    expect(svg.match(/<path /g)).toHaveLength(REVIEW.edges.length);
  });
});
