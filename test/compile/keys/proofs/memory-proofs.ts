import type { Documents } from '../../../support/shows-effect.js';
import type { EffectProof } from './proof.js';

const MEMORY = 'Workspace.memory';

/** Keys of memory, shown by a run that has something to recall and something to remember. */
export const MEMORY_PROOFS: readonly EffectProof[] = [
  { key: `${MEMORY}.enabled`, a: true, b: false },
  { key: `${MEMORY}.reader.max_results`, a: 1, b: 2 },
  { key: `${MEMORY}.reader.similarity_threshold`, a: 0.15, b: 0.9 },
  { key: `${MEMORY}.reader.search_scope`, a: 'user', b: 'all', given: { [`${MEMORY}.reader.max_results`]: 9 } },
  {
    key: `${MEMORY}.reader.embedding.provider`,
    a: 'one',
    b: 'two',
    given: { [`${MEMORY}.reader.embedding`]: { provider: 'one', model: 'e1' } },
  },
  {
    key: `${MEMORY}.reader.embedding.model`,
    a: 'e1',
    b: 'e2',
    given: { [`${MEMORY}.reader.embedding`]: { provider: 'one', model: 'e1' } },
  },
  {
    key: `${MEMORY}.model.provider`,
    a: 'one',
    b: 'two',
    given: { [`${MEMORY}.model`]: { provider: 'one', name: 'small' } },
  },
  {
    key: `${MEMORY}.model.name`,
    a: 'small',
    b: 'smaller',
    given: { [`${MEMORY}.model`]: { provider: 'one', name: 'small' } },
  },
  { key: `${MEMORY}.writer.min_output_length`, a: 10, b: 5_000 },
];

export const REMEMBERING: Documents = {
  'workspace.json': {
    apiVersion: 'kit/v1',
    kind: 'Workspace',
    metadata: { id: 'remembers', name: 'Remembers' },
    memory: {},
  },
};
