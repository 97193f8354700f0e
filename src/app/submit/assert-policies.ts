import { KitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import type { Workspace } from '../../domain/workspace.js';
import { hasPolicies, policyProblems } from '../policy-workspace.js';

/**
 * A run is not accepted under policies that cannot be used: each of its actions would be denied.
 *
 * Throws KIT_POLICY_INVALID naming every problem, KIT_PLUGIN_* for a provider that cannot be had.
 */
export async function assertPolicies(plugins: Pick<PluginHost, 'resolve'>, workspace: Workspace): Promise<void> {
  if (!hasPolicies(workspace)) return;
  const { provider, config } = workspace.governance;
  const problems = await policyProblems(await plugins.resolve('governanceProviders', provider, config), workspace);
  if (problems.length === 0) return;
  const list = problems.map(({ path, line, message }) => `${path}${line === null ? '' : `:${line}`}: ${message}`);
  const help = problems.find((found) => found.help !== null)?.help ?? null;
  throw new KitError('KIT_POLICY_INVALID', `the policies of ${provider} cannot be used: ${list.join('; ')}`, {
    ...(help === null ? {} : { hint: help }),
    data: { problems: problems.map((found) => ({ ...found })) },
  });
}
