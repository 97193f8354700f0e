import type { Proof } from '../../govern/proof/proof.js';
import type { ProofVerdict } from '../../govern/proof/verify-proof.js';

export type { Proof } from '../../govern/proof/proof.js';

/** What a proof is worth, once it can be read. */
export type VerifiedProof = Exclude<ProofVerdict, { readonly kind: 'unreadable' }>;

/** Proofs of gates: writing one from a store, judging one from its bytes. */
export interface ProofApp {
  /**
   * Everything about a gate in one file, signed with the key of this user. `text` is what the file
   * holds.
   *
   * Throws KIT_GATE_UNKNOWN, KIT_WORKSPACE_NOT_FOUND, KIT_SIGNING_KEY_INVALID, and
   * KIT_ARTIFACT_CORRUPT when the store no longer holds what was reviewed, or by which registry it
   * was decided.
   */
  export(ask: {
    readonly workspace: string;
    readonly gate: string;
  }): Promise<{ readonly text: string; readonly proof: Proof }>;
  /**
   * Judges a file offline, without a workspace or a store. `keys`: public keys as `kit review key`
   * prints them, or files that hold one.
   *
   * Throws KIT_PROOF_UNREADABLE for a file that is not there or no proof, KIT_SIGNING_KEY_INVALID
   * for a key that is none.
   */
  verify(ask: { readonly path: string; readonly keys: readonly string[] }): Promise<VerifiedProof>;
  /** The key that signs for this user; made on first use. Throws KIT_SIGNING_KEY_INVALID. */
  key(): Promise<{ readonly publicKey: string; readonly keyId: string; readonly source: string }>;
}
