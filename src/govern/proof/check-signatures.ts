import type { DecisionSignature } from '../../domain/gates.js';
import { isSignedBy, keyIdOf, publicKeyOf } from '../../lib/ed25519.js';
import type { Proof } from './proof.js';
import { type ProofProblem, problem } from './read-proof.js';
import { decisionBody } from './seal.js';

/** A signature that is there must hold, whoever made it. */
export function checkSignatures(proof: Proof): ProofProblem | null {
  const decided = checkDecisionSignatures(proof.decisions);
  if (decided !== null) return decided;
  const wrong = proof.signature === null ? null : checkOne(proof.signature, proof.digest);
  return wrong === null ? null : problem('signature', `the signature of the proof ${wrong}`);
}

export function checkDecisionSignatures(decisions: Proof['decisions']): ProofProblem | null {
  for (const decision of decisions) {
    const wrong = decision.signature === null ? null : checkOne(decision.signature, decisionBody(decision));
    if (wrong !== null)
      return problem('signature', `the signature of decision ${decision.id} by ${decision.identity} ${wrong}`);
  }
  return null;
}

function checkOne(signature: DecisionSignature, body: string): string | null {
  const key = publicKeyOf(signature.publicKey);
  if (key === null) return 'names no Ed25519 key';
  if (keyIdOf(key) !== signature.keyId) return `names key ${signature.keyId}, but carries ${keyIdOf(key)}`;
  return isSignedBy(key, body, signature.value) ? null : 'does not fit what was signed';
}

/**
 * Origin: the export and every decision carry a signature of one of these keys (base64). What
 * merely agrees with itself can have been made anew as a whole by somebody else. A carried decision
 * has no signature of its own: the one that it repeats has.
 */
export function checkOrigin(proof: Proof, keys: readonly string[]): ProofProblem | null {
  const isKnown = (signature: DecisionSignature | null): boolean =>
    signature !== null && keys.includes(signature.publicKey);
  const foreign = proof.decisions.find((decision) => decision.carriedFrom === null && !isKnown(decision.signature));
  if (foreign !== undefined)
    return problem('key', `decision ${foreign.id} by ${foreign.identity} ${whose(foreign.signature)}`);
  return isKnown(proof.signature) ? null : problem('key', `the proof ${whose(proof.signature)}`);
}

const whose = (signature: DecisionSignature | null): string =>
  signature === null ? 'is not signed' : `is signed with key ${signature.keyId}, which is none of those given`;
