import type { GateStatus, RecordedDecision, ReviewItem } from '../domain/gates.js';
import type { Json } from '../domain/json.js';
import type { GateElsewhere } from '../domain/ports/remote-waits.js';
import {
  type Fields,
  fieldsOf,
  isTrueAt,
  maybeNumberAt,
  maybeObjectAt,
  maybeTextAt,
  numberAt,
  objectsAt,
  textAt,
  textsAt,
} from '../lib/read-json.js';
import type { GateActor, GateDetails, GateResolution } from './gate-details.js';

/** An item out of what `toWireItem` makes. */
export function fromWireItem(value: unknown): ReviewItem {
  const item = fieldsOf(value);
  return {
    id: textAt(item, 'id'),
    kind: textAt(item, 'kind') as ReviewItem['kind'],
    jobId: textAt(item, 'run_id'),
    topologyId: textAt(item, 'topology_id'),
    agentId: textAt(item, 'agent_id'),
    skillId: maybeTextAt(item, 'skill_id'),
    stepKey: '',
    gateId: maybeTextAt(item, 'gate_id'),
    ruleIndex: maybeNumberAt(item, 'rule_index'),
    role: maybeTextAt(item, 'role'),
    scope: maybeTextAt(item, 'scope'),
    round: numberAt(item, 'round'),
    status: statusAt(item),
    resolvedBy: textAt(item, 'resolved_by'),
    comment: textAt(item, 'comment'),
    answer: maybeTextAt(item, 'answer'),
    reason: textAt(item, 'reason'),
    artifactRef: textAt(item, 'artifact_ref'),
    question: maybeTextAt(item, 'question'),
    options: textsAt(item, 'options'),
    freeTextAllowed: isTrueAt(item, 'free_text_allowed'),
    details: (item.details ?? null) as Json,
    stale: isTrueAt(item, 'stale'),
    withdrawn: isTrueAt(item, 'withdrawn'),
    escalated: isTrueAt(item, 'escalated'),
    reopened: numberAt(item, 'reopened'),
    createdAt: textAt(item, 'timestamp'),
    resolvedAt: maybeTextAt(item, 'resolved_at'),
  };
}

/** A gate out of what `toWireGate` makes; its rules stay with the server, which decides by them. */
export function fromWireGate(value: unknown): GateDetails {
  const gate = fieldsOf(value);
  const author = fieldsOf(gate.author);
  return {
    gateId: textAt(gate, 'gate_id'),
    runId: textAt(gate, 'run_id'),
    topologyId: textAt(gate, 'topology_id'),
    agentId: textAt(gate, 'agent_id'),
    funnelId: textAt(gate, 'funnel_id'),
    round: numberAt(gate, 'round'),
    status: statusAt(gate),
    resolved: isTrueAt(gate, 'resolved'),
    quorumEvaluated: isTrueAt(gate, 'quorum_evaluated'),
    artifactRef: textAt(gate, 'artifact_ref'),
    sha256: textAt(gate, 'sha256'),
    mediaType: textAt(gate, 'media_type'),
    items: objectsAt(gate, 'items').map(fromWireItem),
    resolutions: objectsAt(gate, 'resolutions').map(resolutionOf),
    distinctApprovers: textsAt(gate, 'distinct_approvers'),
    outstanding: textsAt(gate, 'outstanding'),
    actors: objectsAt(gate, 'who_can_act').map(actorOf),
    stuck: textsAt(gate, 'stuck'),
    halted: maybeTextAt(gate, 'halted'),
    excludeAuthor: isTrueAt(gate, 'exclude_author'),
    excludeAuthorUnapplied: isTrueAt(gate, 'exclude_author_unapplied'),
    author: {
      identity: textAt(author, 'identity'),
      person: textAt(author, 'person'),
      assurance: textAt(author, 'assurance') as GateDetails['author']['assurance'],
      identified: isTrueAt(author, 'identified'),
      note: maybeTextAt(author, 'note'),
    },
    earlierAuthors: objectsAt(gate, 'earlier_authors').map((one) => ({
      identity: textAt(one, 'identity'),
      person: textAt(one, 'person'),
      jobId: textAt(one, 'run_id'),
    })),
    policy: {
      rules: [],
      excludeAuthor: isTrueAt(gate, 'exclude_author'),
      onRevision: 'reset_all',
      minDistinctApprovers: maybeNumberAt(gate, 'min_distinct_approvers'),
      expiry: null,
    },
    evidence: evidenceOf(fieldsOf(gate.evidence)),
    escalatedTo: textsAt(gate, 'escalated_to'),
    openedAt: textAt(gate, 'opened_at'),
    expiresAt: maybeTextAt(gate, 'expires_at'),
    expired: isTrueAt(gate, 'expired'),
    decidedAt: maybeTextAt(gate, 'decided_at'),
    withdrawn: isTrueAt(gate, 'withdrawn'),
  };
}

/** A decision out of what `toWireDecision` makes. */
export function fromWireDecision(value: unknown): RecordedDecision {
  const made = fieldsOf(value);
  const signedBy = maybeTextAt(made, 'signed_by');
  return {
    id: textAt(made, 'id'),
    itemId: textAt(made, 'item_id'),
    gateId: textAt(made, 'gate_id'),
    jobId: textAt(made, 'run_id'),
    round: numberAt(made, 'round'),
    ruleIndex: numberAt(made, 'rule_index'),
    role: textAt(made, 'role'),
    scope: textAt(made, 'scope'),
    identity: textAt(made, 'identity'),
    person: textAt(made, 'person'),
    assurance: made.assurance === 'authenticated' ? 'authenticated' : 'asserted',
    outcome: textAt(made, 'outcome') as RecordedDecision['outcome'],
    comment: textAt(made, 'comment'),
    at: textAt(made, 'at'),
    sha256: textAt(made, 'sha256'),
    policyDigest: textAt(made, 'policy_digest'),
    registryDigest: textAt(made, 'registry_digest'),
    stale: isTrueAt(made, 'stale'),
    carriedFrom: maybeNumberAt(made, 'carried_from'),
    // The signature itself is checked where the decision lies.
    signature: signedBy === null ? null : { keyId: signedBy, publicKey: '', value: '' },
  };
}

const statusAt = (fields: Fields): GateStatus => textAt(fields, 'status') as GateStatus;

const resolutionOf = (made: Fields): GateResolution => ({
  itemId: textAt(made, 'item_id'),
  role: textAt(made, 'role'),
  scope: textAt(made, 'scope'),
  status: statusAt(made),
  resolvedBy: textAt(made, 'resolved_by'),
  comment: textAt(made, 'comment'),
  round: numberAt(made, 'round'),
  at: textAt(made, 'at'),
  stale: isTrueAt(made, 'stale'),
  carriedFrom: maybeNumberAt(made, 'carried_from'),
});

const actorOf = (actor: Fields): GateActor => ({
  itemId: textAt(actor, 'item_id'),
  ruleIndex: numberAt(actor, 'rule_index'),
  role: textAt(actor, 'role'),
  scope: textAt(actor, 'scope'),
  members: textsAt(actor, 'members'),
});

function evidenceOf(evidence: Fields): GateDetails['evidence'] {
  const judge = maybeObjectAt(evidence, 'judge');
  return {
    retries: numberAt(evidence, 'retries'),
    escalated: isTrueAt(evidence, 'escalated'),
    failedLayers: textsAt(evidence, 'failed_layers') as GateDetails['evidence']['failedLayers'],
    critique: maybeTextAt(evidence, 'critique'),
    judge:
      judge === null
        ? null
        : {
            skill: textAt(judge, 'skill'),
            verdict: textAt(judge, 'verdict'),
            confidence: numberAt(judge, 'confidence'),
            reasoning: textAt(judge, 'reasoning'),
          },
    findings: (Array.isArray(evidence.findings) ? evidence.findings : []) as readonly Json[],
    diffSha256: maybeTextAt(evidence, 'diff_sha256'),
  };
}

/** Out of the member `elsewhere` of a page; a server that tells none has none. */
export const fromWireElsewhere = (page: Fields): readonly GateElsewhere[] =>
  objectsAt(page, 'elsewhere').map((gate) => ({
    jobId: textAt(gate, 'run'),
    topology: textAt(gate, 'topology'),
    agent: textAt(gate, 'agent'),
    gateUrl: textAt(gate, 'gate_url'),
  }));
