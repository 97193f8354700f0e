import { sha256Hex } from '../../lib/sha256.js';
import type { Proof, ProofArtifact } from './proof.js';
import { type ProofProblem, problem } from './read-proof.js';

/** Every round names bytes that the proof holds, and they are those bytes. */
export function checkArtifacts(proof: Proof): ProofProblem | null {
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

export const bytesOf = (artifact: ProofArtifact): Uint8Array => Buffer.from(artifact.content, artifact.encoding);
