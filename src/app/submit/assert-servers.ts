import { KitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import { hintForMissing } from '../../domain/missing-contribution.js';
import type { Workspace } from '../../domain/workspace.js';
import { hintFor } from '../../lib/nearest.js';

/**
 * Refuses a run whose skills call a tool of a server that nobody declares, or that nothing here can
 * open: catalogues of skills are shared by workspaces, so a skill without its server is a fault
 * only where a run reaches it.
 *
 * Throws KIT_TOOL_SERVER_UNKNOWN.
 */
export function assertServers(
  deps: { readonly workspace: Pick<Workspace, 'servers'>; readonly plugins: Pick<PluginHost, 'find'> },
  skills: readonly LinkedSkill[],
): void {
  const known = [...deps.workspace.servers.keys()];
  for (const { id, implementation } of skills) {
    if (implementation.type !== 'mcp_tool') continue;
    const server = deps.workspace.servers.get(implementation.server);
    const data = { skill: id, server: implementation.server };
    if (server === undefined) {
      throw new KitError(
        'KIT_TOOL_SERVER_UNKNOWN',
        `the skill ${id} calls a tool of the server ${implementation.server}, which the workspace does not declare`,
        {
          hint: hintFor(implementation.server, known, {
            fallback: 'Declare it under `mcp_servers` in workspace.yaml.',
          }),
          data: { ...data, known },
        },
      );
    }
    if (deps.plugins.find('toolSources', server.source) === null) {
      throw new KitError(
        'KIT_TOOL_SERVER_UNKNOWN',
        `the skill ${id} needs the server ${server.id}, and no installed plugin opens servers of the kind ${server.source}`,
        {
          hint: hintForMissing(`the tool source ${server.source}`),
          data: { ...data, wants: { point: 'toolSources', name: server.source } },
        },
      );
    }
  }
}
