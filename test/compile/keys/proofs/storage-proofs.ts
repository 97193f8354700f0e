import type { EffectProof } from './proof.js';

/** Keys of `storage` that no run shows: what a removal of audit takes tells the difference. */
export const STORAGE_PROOFS: readonly EffectProof[] = [
  { key: 'Workspace.storage.audit.retention_days', a: 30, b: 365 },
];

/** What a server does by itself with what is old. */
export const PRUNE_PROOFS: readonly EffectProof[] = [{ key: 'Workspace.storage.audit.prune_every_hours', a: 1, b: 24 }];

const RUNS = 'postgres://127.0.0.1:1/runs';
const SHARED = { 'Workspace.storage.runtime': { backend: 'postgres', url: RUNS } };

/** Keys of `storage.checkpoints`: a start says where they ask for another place than there is. */
export const CHECKPOINT_PROOFS: readonly EffectProof[] = [
  { key: 'Workspace.storage.checkpoints.backend', a: 'sqlite', b: 'postgres' },
  { key: 'Workspace.storage.checkpoints.path', a: '.kit/store.sqlite', b: 'journal.sqlite' },
  {
    key: 'Workspace.storage.checkpoints.url',
    a: RUNS,
    b: 'postgres://127.0.0.1:1/elsewhere',
    given: { ...SHARED, 'Workspace.storage.checkpoints.backend': 'postgres' },
  },
];
