import type { GateRound, RecordedDecision, RoleDirectory } from '../../domain/gates.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { sha256Hex } from '../../lib/sha256.js';
import { readOutcome } from '../approval/admit.js';
import { authorCalled, authorsOf } from '../approval/authors.js';
import { isMember, personOf, roleCalled } from '../approval/people.js';
import { rulesOf } from '../approval/rules.js';
import type { GateFacts, Proof, ProofEvent } from './proof.js';
import { type ProofProblem, problem } from './read-proof.js';

/** A registry is what its digest says, and each that a decision names is there. */
export function checkRegistries(proof: Proof): ProofProblem | null {
  for (const { digest, roles, identities } of proof.registries) {
    if (sha256Hex(canonicalJson({ roles, identities })) !== digest)
      return problem('registry', `the registry ${digest} does not have that digest`);
  }
  const missing = proof.decisions.find((decision) => registryOf(proof, decision) === undefined);
  return missing === undefined
    ? null
    : problem(
        'registry',
        `the registry ${missing.registryDigest}, by which decision ${missing.id} was allowed, is missing`,
      );
}

const registryOf = (proof: Proof, decision: RecordedDecision): RoleDirectory | undefined =>
  proof.registries.find((registry) => registry.digest === decision.registryDigest);

/**
 * Each decision was allowed when it was made, is in the log as it stands here, and none of the log
 * is left out.
 */
export const checkDecisions = (proof: Proof): ProofProblem | null =>
  checkEach(proof, (decision) => checkAllowed(proof, decision));

/** The same without the registries: whether each was allowed was judged when it was made. */
export const checkRecorded = (facts: GateFacts): ProofProblem | null => checkEach(facts, () => null);

function checkEach(
  proof: GateFacts,
  allowed: (decision: RecordedDecision) => ProofProblem | null,
): ProofProblem | null {
  const ids = new Set<string>();
  for (const decision of proof.decisions) {
    if (ids.has(decision.id)) return problem('decision', `decision ${decision.id} stands there twice`);
    ids.add(decision.id);
    const wrong =
      checkRound(proof, decision) ??
      (decision.carriedFrom === null
        ? (allowed(decision) ?? checkLogged(proof, decision))
        : checkCarried(proof, decision));
    if (wrong !== null) return wrong;
  }
  const left = recorded(proof).find((event) => !ids.has(String(event.payload.decision_id)));
  if (left === undefined) return null;
  return problem('decision', `decision ${String(left.payload.decision_id)} of event ${left.seq} is missing`, {
    seq: left.seq,
  });
}

/** Events of attempts at this gate that recorded a decision. */
const recorded = (proof: GateFacts): readonly ProofEvent[] =>
  proof.events.filter(
    (event) =>
      event.event_type === 'approval.role_task_resolved' &&
      event.payload.gate_id === proof.gateId &&
      event.payload.allowed === true &&
      typeof event.payload.decision_id === 'string',
  );

const roundOf = (proof: GateFacts, round: number): GateRound | undefined =>
  proof.rounds.find((one) => one.round === round);
const about = (decision: RecordedDecision, message: string): ProofProblem =>
  problem('decision', `decision ${decision.id} by ${decision.identity} ${message}`);

function checkRound(proof: GateFacts, decision: RecordedDecision): ProofProblem | null {
  const round = roundOf(proof, decision.round);
  if (decision.gateId !== proof.gateId || decision.jobId !== proof.run.id)
    return about(decision, 'belongs to another gate');
  if (round === undefined) return about(decision, `belongs to round ${decision.round}, which is not there`);
  if (round.sha256 !== decision.sha256) return about(decision, `is about other bytes than round ${decision.round}`);
  const rule = rulesOf(round)[decision.ruleIndex];
  if (rule?.scope !== decision.scope || !rule.roles.includes(decision.role))
    return about(decision, `fits no rule of its policy`);
  return round.policyDigest === decision.policyDigest ? null : about(decision, 'was made under another policy');
}

/** The same checks as when it was made, over the registry of that instant. */
function checkAllowed(proof: Proof, decision: RecordedDecision): ProofProblem | null {
  const registry = registryOf(proof, decision);
  const role = registry === undefined ? null : roleCalled(registry, decision.role);
  if (registry === undefined || role === null)
    return about(decision, `names the role ${decision.role}, which its registry does not define`);
  if (personOf(registry, decision.identity) !== decision.person)
    return about(decision, `names the person ${decision.person}, which its registry does not`);
  if (!role.scopes.includes(decision.scope))
    return about(decision, `uses the scope ${decision.scope}, which ${decision.role} does not confer`);
  if (!isMember(registry, role, decision.person))
    return about(decision, `was made by nobody of the role ${decision.role}`);
  const authors = authorsOf({ ...proof.run, earlier: proof.run.earlier ?? [] }, registry);
  const author = authorCalled(authors, registry, decision.identity);
  const excludes = roundOf(proof, decision.round)?.policy.excludeAuthor === true;
  return excludes && author?.identified === true
    ? about(decision, `was made by the author of run ${author.jobId}`)
    : null;
}

const FIELDS = [
  ['itemId', 'item_id'],
  ['round', 'round'],
  ['role', 'role'],
  ['scope', 'scope'],
  ['identity', 'identity'],
  ['person', 'person'],
  ['assurance', 'assurance'],
  ['outcome', 'outcome'],
  ['comment', 'comment'],
  ['sha256', 'sha256'],
  ['policyDigest', 'policy_digest'],
  ['registryDigest', 'registry_digest'],
] as const satisfies readonly (readonly [keyof RecordedDecision, string])[];

/** What the event says; a log of before spells an outcome as it was given. */
function logged({ payload }: ProofEvent, name: string): unknown {
  const value = payload[name];
  return name === 'outcome' && typeof value === 'string' ? (readOutcome(value) ?? value) : value;
}

function checkLogged(proof: GateFacts, decision: RecordedDecision): ProofProblem | null {
  const events = recorded(proof).filter((event) => event.payload.decision_id === decision.id);
  const event = events[0];
  if (event === undefined) return about(decision, 'is in no event of the log');
  const wrong = FIELDS.find(([field, name]) => logged(event, name) !== decision[field]);
  if (wrong !== undefined)
    return problem('decision', `decision ${decision.id} and its event ${event.seq} differ in ${wrong[1]}`, {
      seq: event.seq,
    });
  return event.timestamp === decision.at
    ? null
    : problem('decision', `decision ${decision.id} and its event ${event.seq} differ in time`, { seq: event.seq });
}

/**
 * `reconfirm_changed` keeps what somebody approved before; the record of that stands in its own
 * round.
 */
function checkCarried(proof: GateFacts, decision: RecordedDecision): ProofProblem | null {
  const { ruleIndex, role, person, carriedFrom } = decision;
  const made = proof.decisions.find(
    (other) =>
      other.round === carriedFrom &&
      other.carriedFrom === null &&
      other.ruleIndex === ruleIndex &&
      other.role === role &&
      other.person === person,
  );
  if (made?.outcome !== 'approve' || decision.outcome !== 'approve')
    return about(decision, `was carried from round ${carriedFrom}, where nobody made it`);
  const [from, to] = [roundOf(proof, made.round), roundOf(proof, decision.round)];
  const isSame =
    from !== undefined &&
    to?.policy.onRevision === 'reconfirm_changed' &&
    (from.sha256 === to.sha256 ||
      canonicalJson(from.parts[ruleIndex] ?? null) === canonicalJson(to.parts[ruleIndex] ?? 'none'));
  return isSame ? null : about(decision, `was carried from round ${carriedFrom}, but what it is about has changed`);
}
