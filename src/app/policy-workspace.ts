import { agentsOf } from '../compile/link/walk-agents.js';
import { KitError } from '../domain/errors.js';
import type { GovernanceProvider, PolicyProblem, PolicyWorkspace } from '../domain/ports/governance.js';
import type { Workspace } from '../domain/workspace.js';

/**
 * A decision that is not there within this time is not a decision; reading policies is bounded by
 * the same.
 */
const CHECK_TIMEOUT_MS = 30_000;

/** What policies may name: everything that the workspace has now, by sorted id. */
export function policyWorkspace(workspace: Workspace): PolicyWorkspace {
  const skills = [...workspace.skills.values()];
  const agents = [...workspace.topologies.values()].flatMap(({ root }) => agentsOf(root).map(({ id }) => id));
  const commands = skills.flatMap(({ implementation }) =>
    implementation.type === 'command' ? [`${implementation.pack}:${implementation.command.id}`] : [],
  );
  return {
    root: workspace.root,
    agents: sorted(agents),
    skills: sorted(skills.map(({ id }) => id)),
    commands: sorted(commands),
    servers: sorted([...workspace.servers.keys()]),
  };
}

/**
 * What a provider says of its policies. Throws what the provider throws, and when it does not
 * answer in time or with no list.
 */
export async function policyProblems(
  provider: GovernanceProvider,
  workspace: Workspace,
): Promise<readonly PolicyProblem[]> {
  if (provider.check === undefined) return [];
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  const tooLate = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
  tooLate.catch(() => undefined);
  const problems = await Promise.race([provider.check(policyWorkspace(workspace), signal), tooLate]);
  if (Array.isArray(problems)) return problems;
  throw new KitError('KIT_PLUGIN_CALL_FAILED', 'the governance provider gave no list of problems');
}

/**
 * Without configuration `mock` has nothing that could be wrong, and its code is not loaded to say
 * so.
 */
export const hasPolicies = ({ governance }: Pick<Workspace, 'governance'>): boolean =>
  governance.provider !== 'mock' || Object.keys(governance.config).length > 0;

const sorted = (ids: readonly string[]): readonly string[] => [...new Set(ids)].sort();
