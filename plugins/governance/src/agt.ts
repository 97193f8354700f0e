import { defineGovernanceProvider } from '@kit-run/kit/plugin';
import { decodeAgtConfig } from './agt-config.js';
import { createAgt } from './agt-provider.js';

/**
 * Governance provider `agt`: the Agent Governance Toolkit, with policies in YAML, Cedar or Rego.
 */
export const contribution = defineGovernanceProvider({
  create: (config, context) => createAgt(decodeAgtConfig(config), context),
});
