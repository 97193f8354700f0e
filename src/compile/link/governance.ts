import type { WorkspaceGovernance } from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { Workspace } from '../../domain/workspace.js';
import { objectAt, textAt } from '../read.js';

/**
 * Who decides, by the name of a contribution. `custom` names a plugin's under `config.provider_id`,
 * which gets what stands under `config.config`. `agt` is told the policy language beside its own
 * configuration.
 */
export function linkGovernance(written: WorkspaceGovernance | undefined): Workspace['governance'] {
  const { policy_language: language, config = {}, ...block } = { ...written };
  const required = {
    requireIdentifiedAuthor: block.require_identified_author ?? DEFAULTS.WorkspaceGovernance.require_identified_author,
    requireGates: block.require_gates ?? DEFAULTS.WorkspaceGovernance.require_gates,
  };
  switch (block.provider) {
    case 'agt':
      return {
        provider: 'agt',
        config: language === undefined ? config : { ...config, policy_language: language },
        ...required,
      };
    case 'custom':
      return { provider: textAt(config, 'provider_id') ?? '', config: objectAt(config, 'config') ?? {}, ...required };
    default:
      return { provider: 'mock', config, ...required };
  }
}
