import type { Documents } from '../../../support/shows-effect.js';
import { AGENTS } from './agent-scene.js';
import type { RunProof } from './proof.js';

const SCRIPT = [
  {
    tool_calls: [
      {
        name: 'create-task-plan',
        input: {
          tasks: [
            { id: 'first', agent: 'one', instruction: 'Find it.' },
            { id: 'second', agent: 'two', instruction: 'Write it.' },
          ],
        },
      },
    ],
  },
  ...Array.from({ length: 8 }, () => ({ text: 'So far.' })),
];

/**
 * A coordinator that plans two tasks by a script; its children and its synthesizer are answered by
 * the model server.
 */
export const PLANS: Documents = {
  ...AGENTS,
  'topologies/main.json': {
    ...AGENTS['topologies/main.json'],
    agents: {
      root: {
        id: 'root',
        role: 'root',
        model: { provider: 'mock', options: { script: SCRIPT } },
        children: ['one', 'two'].map((id) => ({ id, role: 'worker', archetype: 'plain' })),
      },
    },
  },
};

const WRITER = { provider: 'local', model: 'm-1' };

/** The same blocks stand in the workspace and in a topology. */
export const PLANNING_PROOFS: readonly RunProof[] = ['Workspace', 'Topology.runtime'].flatMap(
  (base): readonly RunProof[] => {
    const written = { [`${base}.synthesis`]: WRITER };
    return [
      { key: `${base}.planning.scope_required`, a: false, b: true },
      { key: `${base}.planning.two_phase`, a: false, b: true },
      { key: `${base}.planning.synthesis_roles`, a: ['self'], b: ['self', 'one'] },
      { key: `${base}.planning.synthesizer_role`, a: 'author', b: 'editor', given: written },
      { key: `${base}.synthesis.provider`, a: 'local', b: 'mock', given: written },
      { key: `${base}.synthesis.model`, a: 'm-1', b: 'm-2', given: written },
      { key: `${base}.synthesis.prompt`, a: 'In one line.', b: 'In two lines.', given: written },
    ];
  },
);
