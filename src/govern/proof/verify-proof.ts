import { sha256Hex } from '../../lib/sha256.js';
import { checkChain } from './check-chain.js';
import { checkDecisions, checkRegistries } from './check-decisions.js';
import { checkGate } from './check-gate.js';
import { checkOrigin, checkSignatures } from './check-signatures.js';
import type { Proof, ProofArtifact } from './proof.js';
import { type ProofProblem, problem, readProof, type ShapeCheck } from './read-proof.js';
import { digestOfProof } from './seal.js';

/** Every round names bytes that the proof holds, and they are those bytes. */
function checkArtifacts(proof: Proof): ProofProblem | null {
  for (const artifact of proof.artifacts) {
    if (sha256Hex(bytesOf(artifact)) !== artifact.sha256)
      return problem('artifact', `the artifact ${artifact.sha256} does not have that digest`);
    if (!proof.rounds.some((round) => round.sha256 === artifact.sha256))
      return problem('artifact', `no round is about the artifact ${artifact.sha256}`);
  }
  for (const round of proof.rounds) {
    const { sha256 } = round;
    const held = proof.artifacts.filter((artifact) => artifact.sha256 === sha256);
    if (held.length === 0) return problem('artifact', `the artifact ${sha256} of round ${round.round} is missing`);
    if (held.length > 1) return problem('artifact', `the artifact ${sha256} stands there twice`);
    const short = round.artifactRef.split('#').at(-1) ?? '';
    if (!sha256.startsWith(short))
      return problem('artifact', `round ${round.round} names ${round.artifactRef}, which is not the artifact it holds`);
  }
  return null;
}

const bytesOf = (artifact: ProofArtifact): Uint8Array => Buffer.from(artifact.content, artifact.encoding);

export interface VerifyOptions {
  /** Public keys (base64 of 32 bytes) of whom the reader trusts; empty: origin is not asked for. */
  readonly keys: readonly string[];
  /** The generated check of the file's shape. */
  readonly misfit: ShapeCheck;
}

/** What a proof is worth. */
export type ProofVerdict =
  /** Everything fits together; `proven`: and was signed with a key that the reader named. */
  | { readonly kind: 'intact'; readonly origin: 'proven' | 'not-proven'; readonly proof: Proof }
  | { readonly kind: 'failed'; readonly problem: ProofProblem }
  | { readonly kind: 'unreadable'; readonly message: string };

/**
 * Judges a proof from its bytes alone: one byte form, digests, the chain of the run's log, each
 * decision by the registry of its instant, the gate's status counted anew, every signature. Stops
 * at the first thing that is wrong. Pure.
 */
export function verifyProof(bytes: Uint8Array, options: VerifyOptions): ProofVerdict {
  const read = readProof(bytes, options.misfit);
  if (read.kind === 'unreadable') return read;
  if (read.kind === 'problem') return { kind: 'failed', problem: read.problem };
  const { proof } = read;
  const wrong = firstProblem(proof) ?? (options.keys.length === 0 ? null : checkOrigin(proof, options.keys));
  if (wrong !== null) return { kind: 'failed', problem: wrong };
  return { kind: 'intact', origin: options.keys.length === 0 ? 'not-proven' : 'proven', proof };
}

/** The digest comes last of what needs no key: the checks before it can say what was changed. */
function firstProblem(proof: Proof): ProofProblem | null {
  return (
    checkArtifacts(proof) ??
    checkChain(proof) ??
    checkRegistries(proof) ??
    checkGate(proof) ??
    checkDecisions(proof) ??
    checkSignatures(proof) ??
    checkDigest(proof)
  );
}

const checkDigest = (proof: Proof): ProofProblem | null =>
  digestOfProof(proof) === proof.digest ? null : problem('digest', 'the proof is not what its digest was taken over');
