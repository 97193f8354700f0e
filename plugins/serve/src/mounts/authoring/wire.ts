import type { ArtifactDetail, ArtifactRow, ConfigReport, ResolvedAgent } from '@kit-run/kit/command';
import {
  ARCHETYPE,
  SKILL,
  toWire,
  type WireArtifactDetail,
  type WireArtifactRow,
  type WireResolvedAgent,
  type WireWorkspaceConfig,
  WORKSPACE_CONFIG,
} from '@kit-run/kit/wire';

export const toWireRow = ({ id, name, version, description, category, role, path }: ArtifactRow): WireArtifactRow => ({
  id,
  name,
  ...(version === null ? {} : { version }),
  description,
  ...(category === null ? {} : { category }),
  ...(role === null ? {} : { role }),
  path,
});

const toWireAgent = (agent: ResolvedAgent): WireResolvedAgent => ({
  id: agent.id,
  role: agent.role,
  source_archetype: agent.sourceArchetype,
  model: agent.model,
  skills: agent.skills,
  requires: agent.requires,
  funnel: agent.funnel,
  ...(agent.dependsOn.length === 0 ? {} : { depends_on: agent.dependsOn }),
  ...(agent.children.length === 0 ? {} : { children: agent.children.map(toWireAgent) }),
});

export function toWireDetail(detail: ArtifactDetail): WireArtifactDetail {
  switch (detail.kind) {
    case 'topologies': {
      const { id, version, description, resolved, inputSchema } = detail;
      return {
        id,
        version,
        description,
        resolved: resolved === null ? null : toWireAgent(resolved),
        input_schema: inputSchema,
      };
    }
    case 'skills':
      return toWire(SKILL, detail);
    case 'archetypes':
      return toWire(ARCHETYPE, detail);
  }
}

export const toWireConfig = (config: ConfigReport): WireWorkspaceConfig => toWire(WORKSPACE_CONFIG, config);
