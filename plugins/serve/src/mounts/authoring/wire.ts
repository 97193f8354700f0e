import type { ArtifactDetail, ArtifactRow, ConfigReport, ResolvedAgent } from '@kit-run/kit/command';
import type { WireArtifactDetail, WireArtifactRow, WireResolvedAgent, WireWorkspaceConfig } from '@kit-run/kit/wire';

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
    case 'skills': {
      const { id, name, description, category, implementationType } = detail;
      return { id, name, description, category, implementation_type: implementationType };
    }
    case 'archetypes': {
      const { id, name, description, role, defaults } = detail;
      return { id, name, description, role, defaults };
    }
  }
}

export const toWireConfig = ({ credentials, mcpServers, events }: ConfigReport): WireWorkspaceConfig => ({
  credentials,
  mcp_servers: mcpServers,
  events,
});
