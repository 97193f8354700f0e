import type { EffectProof } from './proof.js';

/** Which private addresses a server calls. */
export const OUTBOUND_PROOFS: readonly EffectProof[] = [
  { key: 'Workspace.server.outbound.allow', a: ['10.2.0.0/16'], b: ['peer.internal'] },
];
