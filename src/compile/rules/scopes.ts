import type { Agent, IamBlock } from '../../domain/generated/artifacts.js';
import { isReservedScope } from '../../domain/scopes.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art } from '../link/registries.js';
import { conferredScopes } from '../link/workspace-config.js';
import type { Report } from '../report.js';

interface Scopes {
  readonly human: ReadonlySet<string>;
  readonly report: Report;
}

function checkList(scopes: Scopes, artifact: Art, pointer: string, list: readonly string[]): void {
  list.forEach((scope, index) => {
    const isReserved = isReservedScope(scope);
    if (!isReserved && !scopes.human.has(scope)) return;
    scopes.report.add(
      { artifact, pointer: pointerTo(pointer, index) },
      {
        code: 'iam.reserved-scope',
        message: isReserved
          ? `the scope \`${scope}\` is reserved for people`
          : `the scope \`${scope}\` is conferred by a role, so it belongs to people`,
        help: 'remove it: no agent, token or transport can carry it',
      },
    );
  });
}

function checkIam(scopes: Scopes, artifact: Art, iam: IamBlock | undefined, pointer: string): void {
  for (const key of ['base_scope', 'elevated_scopes'] as const)
    checkList(scopes, artifact, pointerTo(pointer, 'iam', key), iam?.[key] ?? []);
}

function checkAgentTree(scopes: Scopes, artifact: Art, agent: Agent, pointer: string): void {
  checkIam(scopes, artifact, agent.iam, pointer);
  agent.children?.forEach((child, index) => {
    checkAgentTree(scopes, artifact, child, pointerTo(pointer, 'children', index));
  });
}

/**
 * No agent, archetype or API key may hold a scope that is reserved or that a role confers
 * (interface, Authentication 2).
 */
export function checkScopes(linked: Linked, report: Report): void {
  const { registries } = linked;
  const scopes: Scopes = { human: conferredScopes(registries.roles), report };
  for (const topology of registries.topologies.values())
    checkAgentTree(scopes, topology, topology.value.agents.root, '/agents/root');
  for (const archetype of registries.archetypes.values())
    checkIam(scopes, archetype, archetype.value.defaults?.iam, '/defaults');
  registries.config.value.server?.auth?.config?.keys?.forEach((key, index) => {
    checkList(scopes, registries.config, `/server/auth/config/keys/${index}/scopes`, key.scopes ?? []);
  });
}
