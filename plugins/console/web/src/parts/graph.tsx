// The picture is laid out where `kit graph` lays it out: one layout for the terminal and the page.
import { GRAPH_BOX, type GraphAgent, graphOf, graphText, layoutOf, type PlacedNode } from '@kit-run/kit/view';
import type { ResolvedAgent, TopologyDetail, Trigger } from '../api/work-types.js';

const agentOf = ({
  id,
  role,
  model,
  source_archetype: archetype,
  skills,
  funnel,
  depends_on: dependsOn,
  children,
}: ResolvedAgent): GraphAgent => ({
  id,
  role,
  answers: model === null ? (archetype ?? 'no model') : `${model.provider}/${model.name}`,
  skills,
  funnel,
  dependsOn: dependsOn ?? [],
  children: (children ?? []).map(agentOf),
});

const isOf = (id: string, target: string): boolean => target === id || target.startsWith(`${id}@`);

/** Agents with their skills, gates, and what starts them. */
export function Graph({
  topology,
  root,
  triggers,
}: {
  readonly topology: TopologyDetail;
  readonly root: ResolvedAgent;
  readonly triggers: readonly Trigger[];
}) {
  const graph = graphOf({
    name: topology.id,
    version: topology.version ?? '',
    description: topology.description,
    root: agentOf(root),
    triggers: triggers.filter(({ targets }) => targets.some((target) => isOf(topology.id, target))),
  });
  const { width, height, nodes, lines } = layoutOf(graph);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="graph" tabIndex={0} aria-label="Graph of the agents">
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {lines.map(({ edge: { from, to, kind }, path }) => (
          <path key={`${from} ${to}`} className={kind} d={path} />
        ))}
        {nodes.map((placed) => (
          <Box key={placed.node.id} placed={placed} />
        ))}
      </svg>
    </section>
  );
}

function Box({ placed: { node, x, y, width, height } }: { readonly placed: PlacedNode }) {
  const { padding, lineHeight } = GRAPH_BOX;
  const texts = [node.title, ...node.lines];
  return (
    <g className={node.kind}>
      <rect x={x} y={y} width={width} height={height} rx={node.kind === 'agent' ? 4 : 16} />
      {texts.map((text, index) => (
        <text
          key={index}
          className={index === 0 ? 'title' : ''}
          x={x + padding}
          y={y + padding + lineHeight * (index + 0.75)}
        >
          {graphText(text)}
        </text>
      ))}
    </g>
  );
}
