import type { Diagnostic } from '../../domain/diagnostic.js';
import { isKitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import type { PolicyProblem } from '../../domain/ports/governance.js';
import type { Workspace } from '../../domain/workspace.js';
import { policyProblems } from '../policy-workspace.js';

/** The workspace file, where it names the provider. */
export const WORKSPACE_FILE = 'workspace.yaml';

/**
 * What the governance provider says of its configuration and of its policies here and now: each problem is an error, because a run
 * under such policies is refused.
 */
export async function governanceDiagnostics(workspace: Workspace, plugins: Pick<PluginHost, 'resolve'>): Promise<readonly Diagnostic[]> {
  const { provider, config } = workspace.governance;
  try {
    return (await policyProblems(await plugins.resolve('governanceProviders', provider, config), workspace)).map(diagnosticOf);
  } catch (error) {
    const code = isKitError(error) && error.code === 'KIT_PLUGIN_CONFIG_INVALID' ? 'governance.bad-config' : 'governance.unavailable';
    const message = error instanceof Error ? error.message : String(error);
    return [{ code, severity: 'error', message, path: WORKSPACE_FILE, pointer: '/governance' }];
  }
}

/** The codes that there are; a plugin that answers with another has still said that its policies cannot be used. */
const CODES: Readonly<Record<PolicyProblem['code'], true>> = {
  'policy.missing': true,
  'policy.not-compiled': true,
  'policy.unknown-entity': true,
  'policy.unparsable': true,
};

const diagnosticOf = ({ code, path, line, message, help }: PolicyProblem): Diagnostic => ({
  code: Object.hasOwn(CODES, code) ? code : 'policy.unparsable',
  severity: 'error',
  message: line === null ? message : `line ${line}: ${message}`,
  path,
  pointer: '',
  ...(help === null ? {} : { help }),
});
