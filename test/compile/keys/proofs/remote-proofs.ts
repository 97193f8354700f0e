import type { Documents } from '../../../support/shows-effect.js';
import { AGENTS, described, head, provenance } from './agent-scene.js';
import { CHILDREN } from './child-proofs.js';
import type { EffectProof } from './proof.js';

/** One agent that holds one skill, which is an agent that runs elsewhere. */
export const REMOTES: Documents = {
  ...Object.fromEntries(Object.entries(AGENTS).filter(([path]) => !path.startsWith('skills/'))),
  'workspace.json': {
    ...CHILDREN['workspace.json'],
    credentials: {
      peer: { source: 'env', config: { env: 'PEER_TOKEN' } },
      other: { source: 'env', config: { env: 'OTHER_TOKEN' } },
    },
  },
  'topologies/main.json': CHILDREN['topologies/main.json'] ?? {},
  'skills/call.json': {
    ...head('Skill'),
    metadata: described('call'),
    category: 'capability',
    implementation: { type: 'agent', card_url: 'https://a.example/card', timeout_s: 1, effects: 'write' },
    provenance,
  },
};

/**
 * Keys of skills that are an agent that runs elsewhere: whom it is, what it is told, what doubt
 * does.
 */
export const REMOTE_PROOFS: readonly EffectProof[] = [
  { key: 'Skill.implementation.card_url', a: 'https://a.example/card', b: 'https://b.example/card' },
  { key: 'Skill.implementation.skill_id', a: 'talk', b: 'sing' },
  { key: 'Skill.implementation.credentials_ref', a: 'peer', b: 'other' },
  { key: 'Skill.implementation.on_in_doubt', a: 'repeat', b: 'fail' },
  { key: 'Workspace.governance.limits.max_remote_calls', a: 0, b: 1 },
];

/** What becomes of a question of the agent, and how often it is answered. */
export const REMOTE_QUESTION_PROOFS: readonly EffectProof[] = [
  { key: 'Skill.implementation.on_unanswerable', a: 'agent', b: 'abort' },
  { key: 'Skill.implementation.max_agent_answers', a: 1, b: 3 },
];
