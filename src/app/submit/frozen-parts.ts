import type { CompressionPolicy } from '../../domain/compression.js';
import type { FrozenKnowledge } from '../../domain/knowledge.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import type { LinkedTopology } from '../../domain/linked-topology.js';
import type { RunSnapshot } from '../../domain/snapshot.js';
import type { Workspace } from '../../domain/workspace.js';

type Parts = Pick<
  RunSnapshot,
  | 'servers'
  | 'decisions'
  | 'planning'
  | 'synthesis'
  | 'compression'
  | 'memory'
  | 'knowledge'
  | 'tasks'
  | 'gaps'
  | 'auditLevel'
>;

/**
 * What a snapshot holds only where the topology has it: a run that uses none of it is frozen as it
 * always was.
 */
export function frozenParts(
  workspace: Workspace,
  topology: LinkedTopology,
  of: {
    readonly skills: readonly LinkedSkill[];
    readonly compression: CompressionPolicy | null;
    readonly knowledge: readonly FrozenKnowledge[];
    readonly remembers: boolean;
  },
): Parts {
  const { skills, compression, knowledge, remembers } = of;
  const called = new Set(
    skills.flatMap(({ implementation }) => (implementation.type === 'mcp_tool' ? [implementation.server] : [])),
  );
  const servers = [...workspace.servers].filter(([id]) => called.has(id));
  return {
    ...(servers.length === 0 ? {} : { servers: Object.fromEntries(servers) }),
    ...(topology.decisions.length === 0 ? {} : { decisions: topology.decisions }),
    ...(topology.planning === null ? {} : { planning: topology.planning }),
    ...(topology.synthesis === null ? {} : { synthesis: topology.synthesis }),
    ...(compression === null ? {} : { compression }),
    ...(remembers ? { memory: workspace.memory } : {}),
    ...(knowledge.length === 0 ? {} : { knowledge }),
    ...(topology.tasks === null ? {} : { tasks: topology.tasks }),
    ...(topology.gaps.enabled && topology.gaps.surfaceThreshold === 1 ? {} : { gaps: topology.gaps }),
    ...(topology.auditLevel === 'detailed' ? {} : { auditLevel: topology.auditLevel }),
  };
}
