import type { ArtifactDetail, ArtifactRow, ConfigReport, ResolvedAgent } from '@kit-run/kit/command';

const given = (name: string, value: string | null): Readonly<Record<string, string>> =>
  value === null ? {} : { [name]: value };

export const toWireRow = ({ id, name, version, description, category, role, path }: ArtifactRow) => ({
  id,
  name,
  ...given('version', version),
  description,
  ...given('category', category),
  ...given('role', role),
  path,
});

function toWireAgent({ sourceArchetype, dependsOn, children, ...agent }: ResolvedAgent): object {
  return {
    ...agent,
    source_archetype: sourceArchetype,
    ...(dependsOn.length === 0 ? {} : { depends_on: dependsOn }),
    ...(children.length === 0 ? {} : { children: children.map(toWireAgent) }),
  };
}

export function toWireDetail(detail: ArtifactDetail): object {
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

export const toWireConfig = ({ credentials, mcpServers, events }: ConfigReport) => ({
  credentials,
  mcp_servers: mcpServers,
  events,
});
