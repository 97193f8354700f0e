import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject } from '../../domain/json.js';
import type { Workspace } from '../../domain/workspace.js';
import { flagAt, objectAt, textAt } from '../read.js';

/**
 * Who decides, by the name of a contribution. `custom` names a plugin's under `config.provider_id`,
 * which gets what stands under `config.config`. `agt` is told the policy language beside its own
 * configuration.
 */
export function linkGovernance(workspace: JsonObject): Workspace['governance'] {
  const block = objectAt(workspace, 'governance');
  const config = objectAt(block, 'config') ?? {};
  const required = {
    requireIdentifiedAuthor:
      flagAt(block, 'require_identified_author') ?? DEFAULTS.WorkspaceGovernance.require_identified_author,
    requireGates: flagAt(block, 'require_gates') ?? DEFAULTS.WorkspaceGovernance.require_gates,
  };
  const language = textAt(block, 'policy_language');
  switch (textAt(block, 'provider')) {
    case 'agt':
      return {
        provider: 'agt',
        config: language === null ? config : { ...config, policy_language: language },
        ...required,
      };
    case 'custom':
      return {
        provider: textAt(config, 'provider_id') ?? '',
        config: objectAt(config, 'config') ?? {},
        ...required,
      };
    default:
      return { provider: 'mock', config, ...required };
  }
}
