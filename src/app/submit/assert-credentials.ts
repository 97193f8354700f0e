import { KitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import type { LinkedImplementation, LinkedSkill } from '../../domain/linked-skill.js';
import { hintForSource } from '../../domain/missing-contribution.js';
import { isOwnSource } from '../../domain/own-source.js';
import type { Workspace } from '../../domain/workspace.js';

/**
 * Refuses a run whose skills need a credential from a source that nothing here brings: it could
 * never be resolved. A variable or file that is missing is told at the point of use, because the
 * machine that executes the run may have it.
 *
 * Throws KIT_CREDENTIAL_UNRESOLVED.
 */
export function assertCredentialSources(
  deps: { readonly workspace: Pick<Workspace, 'credentials' | 'servers'>; readonly plugins: Pick<PluginHost, 'find'> },
  skills: readonly LinkedSkill[],
): void {
  for (const { id, implementation } of skills) {
    const ref = refOf(deps.workspace, implementation);
    const entry = ref === null ? undefined : deps.workspace.credentials.get(ref);
    if (entry === undefined || isOwnSource(entry)) continue;
    const wanted = entry.providerId ?? entry.source;
    if (deps.plugins.find('credentialSources', wanted) !== null) continue;
    throw new KitError(
      'KIT_CREDENTIAL_UNRESOLVED',
      `the skill ${id} needs the credential ${ref}, and no installed plugin brings its source ${wanted}`,
      {
        hint: hintForSource(wanted),
        data: { skill: id, credential: ref, source: wanted, wants: { point: 'credentialSources', name: wanted } },
      },
    );
  }
}

function refOf({ servers }: Pick<Workspace, 'servers'>, implementation: LinkedImplementation): string | null {
  if (implementation.type === 'mcp_tool') return servers.get(implementation.server)?.credentialsRef ?? null;
  return implementation.type === 'command' ? implementation.command.credentialsRef : null;
}
