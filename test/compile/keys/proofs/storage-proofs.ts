import type { EffectProof } from './proof.js';

/** Keys of `storage` that no run shows: what a removal of audit takes tells the difference. */
export const STORAGE_PROOFS: readonly EffectProof[] = [
  { key: 'Workspace.storage.audit.retention_days', a: 30, b: 365 },
];
