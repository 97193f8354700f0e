import { compileDirectory } from '../../src/app/load-workspace.js';
import { resolveProvider } from '../../src/compile/link/providers.js';
import type { Art } from '../../src/compile/link/registries.js';
import { deps } from './compile.js';

/**
 * What later rooms get from a workspace: linked forms, settings with their defaults, and what is reported about it. No artifact
 * as it was written is part of it, and no list of keys without effect: either would make every key look effective.
 */
export async function linkedView(directory: string): Promise<unknown> {
  const { workspace, diagnostics } = await compileDirectory(directory, deps({ PATH: process.env.PATH ?? '' }));
  const said = diagnostics.map(({ code, severity, message }) => ({ code, severity, message }));
  if (workspace === null) return { said };
  const { id, name, limits, governance, auditLevel, memoryEnabled, journalDays, jobTimeoutMs, maxConcurrent } = workspace;
  return {
    said,
    settings: { id, name, limits, governance, auditLevel, memoryEnabled, journalDays, jobTimeoutMs, maxConcurrent },
    topologies: [...workspace.topologies].map(([key, { description, root, inputSchema, locks }]) => ({ key, description, root, inputSchema, locks })),
    skills: [...workspace.skills.values()],
    credentials: [...workspace.credentials],
    humanScopes: [...workspace.humanScopes],
    adapters: [...workspace.adapters].map(([adapter, { value }]) => [adapter, value.spec]),
    providers: [...workspace.providers.keys()].map((provider) =>
      resolveProvider(workspace.providers as unknown as ReadonlyMap<string, Art>, provider),
    ),
    ids: [workspace.archetypes, workspace.funnels, workspace.contracts, workspace.triggers, workspace.evalSets].map((registry) => [
      ...registry.keys(),
    ]),
  };
}
