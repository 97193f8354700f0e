import type { DecisionSignature, RecordedDecision, RoleDirectory } from '../../domain/gates.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { sha256Hex } from '../../lib/sha256.js';
import type { Proof, ProofBody } from './proof.js';

/** What the export's signature and digest are taken over. */
export function digestOfProof(proof: ProofBody | Proof): string {
  return sha256Hex(canonicalJson({ ...proof, digest: undefined, signature: undefined }));
}

/**
 * What a decision's signature is taken over: all of it but what can change later and the signature
 * itself.
 */
export const decisionBody = (decision: RecordedDecision): string =>
  canonicalJson({ ...decision, stale: undefined, signature: undefined });

/** The proof as its file holds it. */
export const proofText = (proof: Proof): string => `${canonicalJson(proof)}\n`;

/** Closes a proof: its digest, and a signature over that where there is a key. */
export function sealProof(body: ProofBody, sign: ((body: string) => DecisionSignature) | null): Proof {
  const digest = digestOfProof(body);
  return { ...body, digest, signature: sign === null ? null : sign(digest) };
}

/**
 * A role registry as it is kept beside the decisions made by it: the bytes whose SHA-256 is its
 * digest.
 */
export const registryText = ({ roles, identities }: RoleDirectory): string => canonicalJson({ roles, identities });
