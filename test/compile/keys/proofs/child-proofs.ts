import type { Documents } from '../../../support/shows-effect.js';
import { AGENTS, described, head, provenance, workspace } from './agent-scene.js';
import type { RunProof } from './proof.js';

/** One agent that holds one skill, which is a topology whose agent takes more than a second. */
export const CHILDREN: Documents = {
  ...Object.fromEntries(Object.entries(AGENTS).filter(([path]) => !path.startsWith('skills/'))),
  'workspace.json': {
    ...workspace,
    command_packs: [
      {
        id: 'pack',
        commands: [
          { id: 'nap', argv: ['sh', '-c', 'sleep 1.3; echo done'], effects: 'read', output: { parse: 'text' } },
        ],
      },
    ],
  },
  'topologies/main.json': {
    ...head('Topology'),
    metadata: { name: 'main', version: '1.0.0' },
    agents: { root: { id: 'root', role: 'root', archetype: 'first', skills: ['call'] } },
  },
  'topologies/second.json': {
    ...head('Topology'),
    metadata: { name: 'second', version: '1.0.0' },
    agents: { root: { id: 'other', role: 'root', archetype: 'napping' } },
  },
  'archetypes/napping.json': {
    ...AGENTS['archetypes/first.json'],
    metadata: described('napping'),
    skills: ['pack:pack'],
  },
  'skills/call.json': {
    ...head('Skill'),
    metadata: described('call'),
    category: 'capability',
    implementation: { type: 'agent', topology: 'second' },
    provenance,
  },
};

const READONLY = { 'Skill.implementation.permission': 'readonly' };

/** Keys of skills that are a run of another topology. */
export const CHILD_PROOFS: readonly RunProof[] = [
  { key: 'Skill.implementation.timeout_s', a: 1, b: 30 },
  { key: 'Skill.implementation.permission', a: 'open', b: 'readonly' },
  { key: 'Skill.implementation.effects', a: 'read', b: 'write', given: READONLY },
];
