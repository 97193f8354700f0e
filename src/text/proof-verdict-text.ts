import type { Proof, VerifiedProof } from '../app/proof/proof-app.js';
import type { JsonObject } from '../domain/json.js';
import { oneLine } from '../view/lines/words.js';

/** A verdict for people, as one value for programs, and whether the check passed. */
interface ShownVerdict {
  readonly text: string;
  readonly wire: JsonObject;
  readonly passed: boolean;
}

/** What `kit verify` says. Everything that comes from the file is shown as foreign text. */
export function proofVerdictText(
  verdict: VerifiedProof,
  { requireOrigin }: { readonly requireOrigin: boolean },
): ShownVerdict {
  if (verdict.kind === 'failed') {
    const { what, message, offset, seq } = verdict.problem;
    return {
      text: `failed: ${oneLine(message, 400)}`,
      wire: { verdict: 'failed', what, message, offset, seq },
      passed: false,
    };
  }
  const { proof, origin } = verdict;
  const isProven = origin === 'proven';
  const head = isProven ? 'intact, origin proven' : 'intact, origin not proven';
  const hint = isProven ? [] : ['Give the public key of who signed with --key to prove where it comes from.'];
  return {
    text: [head, ...factsOf(proof), ...hint].join('\n'),
    wire: {
      verdict: 'intact',
      origin,
      gate_id: proof.gateId,
      status: statusOf(proof),
      rounds: proof.rounds.length,
      decisions: proof.decisions.length,
      events: proof.events.length,
      digest: proof.digest,
      key_id: proof.signature?.keyId ?? null,
    },
    passed: isProven || !requireOrigin,
  };
}

const statusOf = (proof: Proof): string => proof.rounds.at(-1)?.status ?? 'pending';

function factsOf(proof: Proof): readonly string[] {
  const last = proof.rounds.at(-1);
  const made = proof.decisions.filter((decision) => decision.carriedFrom === null);
  return [
    `  gate      ${oneLine(proof.gateId, 120)}: ${statusOf(proof)} after ${proof.rounds.length === 1 ? 'one round' : `${proof.rounds.length} rounds`}`,
    `  artifact  ${last === undefined ? '' : oneLine(last.artifactRef, 160)}`,
    `            sha256 ${last?.sha256 ?? ''}`,
    ...made.map(({ at, identity, role, outcome, round, comment }) => {
      const said = comment === '' ? '' : `: ${oneLine(comment, 120)}`;
      return `  ${at}  round ${round}  ${oneLine(identity, 60)} for ${oneLine(role, 60)}: ${outcome}${said}`;
    }),
    `  log       ${proof.events.length} events, chained`,
  ];
}
