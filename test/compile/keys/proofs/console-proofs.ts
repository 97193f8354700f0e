import type { EffectProof } from './proof.js';

/** Whether there are pages for people. */
export const CONSOLE_PROOFS: readonly EffectProof[] = [{ key: 'Workspace.server.console.enabled', a: true, b: false }];
