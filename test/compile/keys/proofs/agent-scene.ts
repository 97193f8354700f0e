import type { Documents } from '../../../support/shows-effect.js';

export const provenance = { authored_by: 'human', version: '1.0.0' };
export const described = (id: string) => ({ id, name: id, description: `The artifact called ${id}.` });
export const head = (kind: string) => ({ apiVersion: 'kit/v1', kind });

const skill = (id: string, category: string, prompt: string) => ({
  ...head('Skill'),
  metadata: described(id),
  category,
  implementation: { type: 'llm_prompt', prompt },
  provenance,
});

export const workspace = {
  ...head('Workspace'),
  metadata: { id: 'w', name: 'W' },
  memory: { enabled: false },
  governance: { provider: 'mock' },
};

/** A provider over the model server of the test; its address arrives as a variable. */
export const provider = (id: string, spec: Readonly<Record<string, unknown>>) => ({
  ...head('ModelProvider'),
  metadata: described(id),
  spec,
  provenance,
});

/**
 * A root with a skill and one child, both answered by a model behind a provider of the workspace.
 */
export const AGENTS: Documents = {
  'workspace.json': workspace,
  'topologies/main.json': {
    ...head('Topology'),
    metadata: { name: 'main', version: '1.0.0' },
    agents: {
      root: {
        id: 'root',
        role: 'root',
        archetype: 'first',
        skills: ['ask'],
        children: [{ id: 'one', role: 'worker', archetype: 'plain' }],
      },
    },
  },
  'archetypes/first.json': {
    ...head('Archetype'),
    metadata: described('first'),
    role: 'root',
    defaults: { model: { provider: 'local', name: 'm-1' }, iam: { base_scope: ['kb:read'] } },
    provenance,
  },
  'archetypes/plain.json': {
    ...head('Archetype'),
    metadata: described('plain'),
    role: 'worker',
    defaults: { model: { provider: 'local', name: 'm-1' }, prompt: { system: 'Plainly.' } },
    provenance,
  },
  'skills/ask.json': skill('ask', 'capability', 'Answer.'),
  'skills/keep.json': skill('keep', 'persistence', 'Keep.'),
  'skills/tally.json': skill('tally', 'coordination', 'Count.'),
  'skills/tell.json': skill('tell', 'coordination', 'Tell.'),
  'providers/local.json': provider('local', {
    extends: 'openai-compatible',
    base_url: '${MODEL_URL}/v1',
    models: { accept_any: true },
  }),
  'providers/parent.json': provider('parent', { extends: 'openai-compatible', headers: { 'x-parent': 'yes' } }),
};
