import type { AgentNode } from '../../../domain/agent-node.js';
import type { PluginReport } from '../../../domain/extension-points.js';
import type { RoleDirectory } from '../../../domain/gates.js';
import type { OauthKeyState } from '../../../domain/oauth-key.js';
import type { Workspace } from '../../../domain/workspace.js';
import type { StartFacts } from '../../../govern/serving/start-rules.js';

export {
  assertMayStart,
  listenAddress,
  pageRules,
  type StartFacts,
  type StartRefusal,
  startRefusals,
  startWarnings,
} from '../../../govern/serving/start-rules.js';

/** What the command line and the process say. */
export interface StartSettings {
  readonly host: string;
  readonly insecure: boolean;
  readonly profile: 'standard' | 'production';
  readonly corsOrigins: readonly string[];
  readonly oauthKey: OauthKeyState;
}

function refsOf(node: AgentNode): readonly string[] {
  const { executor } = node;
  return [...(executor.kind === 'harness' ? [executor.ref] : []), ...node.children.flatMap(refsOf)];
}

/**
 * Every harness that an agent or a reviewer of the workspace starts. Each of them runs in a
 * worktree as the user of the server: this version of kit has no container for harnesses, whatever
 * an adapter asks for.
 */
export function uncontainedHarnesses(workspace: Pick<Workspace, 'topologies' | 'linkedFunnels'>): readonly string[] {
  const agents = [...workspace.topologies.values()].flatMap(({ root }) => refsOf(root));
  const reviewers = [...workspace.linkedFunnels.values()].flatMap(({ review }) =>
    review === null ? [] : refsOf(review.reviewer),
  );
  return [...new Set([...agents, ...reviewers])].sort();
}

/**
 * Everything that the start of a server is judged by, from the workspace, the plugins and the
 * command line.
 */
export function startFacts(
  workspace: Pick<Workspace, 'server' | 'topologies' | 'linkedFunnels' | 'config'>,
  from: {
    readonly settings: StartSettings;
    readonly roles: RoleDirectory;
    readonly identities: readonly string[] | null;
    readonly plugins: readonly Pick<PluginReport, 'name' | 'origin'>[];
  },
): StartFacts {
  const { settings, roles, identities, plugins } = from;
  const { provider, requireOnNonloopback } = workspace.server.auth;
  return {
    ...settings,
    provider,
    requireOnNonloopback,
    roles,
    identities,
    mcpServers: (workspace.config.value.mcp_servers ?? []).map(({ id, sandboxed }) => ({
      id,
      sandboxed: sandboxed === true,
    })),
    uncontainedHarnesses: uncontainedHarnesses(workspace),
    linkedPlugins: plugins.filter(({ origin }) => origin === 'linked').map(({ name }) => name),
  };
}
