import type { Documents } from '../../../support/shows-effect.js';
import { AGENTS } from './agent-scene.js';
import type { RunProof } from './proof.js';

/** The agents of the other proofs, and a policy directory that `agt` reads: JSON is YAML. */
export const GOVERNED: Documents = {
  ...AGENTS,
  'policies/open.yaml': {
    name: 'open',
    default_action: 'allow',
    rules: [{ name: 'no-child', condition: "agent == 'one'", action: 'deny' }],
  },
};

const WRITES = { 'Skill.iam.required_scopes': ['kb:read', 'kb:write'] };
const AGENT = 'Topology.agents.*';

const intent = (base: string): readonly RunProof[] => [
  { key: `${base}.enabled`, a: true, b: false },
  { key: `${base}.threshold`, a: 0, b: 2, given: { [`${base}.enabled`]: true } },
  { key: `${base}.on_drift`, a: 'log', b: 'nudge', given: { [`${base}.enabled`]: true, [`${base}.threshold`]: 0 } },
];

export const GOVERNANCE_PROOFS: readonly RunProof[] = [
  { key: 'Workspace.governance.provider', a: 'mock', b: 'agt' },
  {
    key: 'Workspace.governance.policy_language',
    a: 'yaml',
    b: 'cedar',
    given: { 'Workspace.governance.provider': 'agt' },
    refuses: 'KIT_POLICY_INVALID',
  },
  { key: 'Workspace.governance.config', a: {}, b: { deny: ['skill:call:ask'] } },
  { key: `${AGENT}.iam.elevated_scopes`, a: [], b: ['kb:write'], given: WRITES },
  { key: 'Archetype.defaults.iam.elevated_scopes', a: [], b: ['kb:write'], given: WRITES },
  ...intent(`${AGENT}.intent_monitoring`),
  ...intent('Topology.intent_monitoring'),
];
