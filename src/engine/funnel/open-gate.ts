import { isKitError } from '../../domain/errors.js';
import {
  type ApprovalPolicy,
  type GateEvidence,
  type GateOpening,
  type GateRound,
  NO_ROLES,
  type RecordedDecision,
  type ReviewItem,
  type ReviewState,
  type RoleDirectory,
} from '../../domain/gates.js';
import { nameBeside } from '../../domain/job.js';
import type { JsonObject } from '../../domain/json.js';
import { unenforceable } from '../../govern/approval/enforceable.js';
import { gateWait } from '../../govern/approval/gate-wait.js';
import { openRound } from '../../govern/approval/open-round.js';
import { type Author, authorOf } from '../../govern/approval/people.js';
import { policyDigest } from '../../govern/approval/policy-digest.js';
import { requestOf } from '../hitl-request.js';
import type { NewEvent } from '../new-event.js';
import type { Parked } from '../park.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import type { Question, StepEnd } from '../step-types.js';
import { partsOf } from './gate-draft.js';
import type { GateValue, OpenVisit } from './gate-visit.js';

/**
 * Puts a draft before the people: the artifact is stored, then the round opens with the row of its
 * step. A policy that the live registry cannot enforce opens nothing: the run goes on unreviewed,
 * and says so. A round of another activation is waited for. While the registry itself cannot be
 * read the gate opens all the same: nobody can sign until it is fixed, and no work is lost. So
 * does the next round of a gate that people were asked at: a role that is removed meanwhile lets
 * nothing out that they sent back.
 */
export async function openGate(
  services: RunServices,
  visit: OpenVisit,
): Promise<{ readonly question: Question } | StepEnd<GateValue> | Parked> {
  const registry = await readable(services);
  const state = await services.reviews.state(services.jobId);
  if (state === null) throw new Error(`run ${services.jobId} has no reviews`);
  const wasAsked = state.gates.some((gate) => gate.gateId === visit.gateId);
  const why = registry === null || wasAsked ? null : unenforceable(visit.funnel.approve, registry);
  if (why !== null) return advisoryEnd(services, visit, why);
  const other = state.gates.find(
    (gate) => gate.gateId === visit.gateId && gate.status === 'pending' && !gate.withdrawn,
  );
  if (other !== undefined) return { parked: [gateWait(state, other)] };
  return openNextRound(services, { visit, roles: registry ?? NO_ROLES, state });
}

/** Null for role files that have an error just now. */
async function readable(services: RunServices): Promise<RoleDirectory | null> {
  try {
    return await services.roles();
  } catch (error) {
    if (!isKitError(error)) throw error;
    services.log.warn('the role registry cannot be read', { job: services.jobId, error: error.message });
    return null;
  }
}

interface Opening {
  readonly visit: OpenVisit;
  readonly roles: RoleDirectory;
  readonly state: ReviewState;
}

async function openNextRound(
  services: RunServices,
  { visit, roles, state }: Opening,
): Promise<{ readonly question: Question } | StepEnd<GateValue>> {
  const { funnel, activation, artifact, draft, gateId } = visit;
  const { sha256, mediaType, bytes } = artifact;
  const { id: agentId } = activation.node;
  const stored = await services.artifacts.put({
    correlation: services.correlationId ?? services.jobId,
    runId: services.jobId,
    name: agentId,
    mediaType,
    bytes,
  });
  const evidence: GateEvidence = { ...visit.evidence, diffSha256: artifact.diffSha256 };
  const opened = openRound(state, {
    gateId,
    agentId,
    activation: activation.key,
    stepKey: visit.key,
    funnelId: funnel.id,
    topologyId: services.snapshot.topology.name,
    artifactRef: `${stored.ref}#${sha256.slice(0, 12)}`,
    sha256,
    mediaType,
    policy: funnel.approve,
    policyDigest: policyDigest(funnel.approve),
    evidence,
    parts: partsOf(funnel.approve, draft),
    roles,
  });
  if ('failed' in opened)
    return failedEnd(opened.failed, `gate ${gateId} was reworked as often as a gate may be, and is not approved`, {
      gate_id: gateId,
    });
  return {
    question: { opens: opened.opening, events: openingEvents(opened.opening, authorOf(state.job.submittedBy, roles)) },
  };
}

function advisoryEnd(services: RunServices, visit: OpenVisit, why: string): StepEnd<GateValue> {
  const { funnel, evidence, gateId, activation } = visit;
  const event: NewEvent = {
    type: 'funnel.advisory_completed',
    agentId: activation.node.id,
    skillId: null,
    payload: {
      gate_id: gateId,
      topology_id: services.snapshot.topology.name,
      funnel_id: funnel.id,
      why,
      failed_layers: [...evidence.failedLayers],
      critique: evidence.critique,
      judge_score: evidence.judge?.confidence ?? null,
      retries: evidence.retries,
      escalated: evidence.escalated,
      approve: shownPolicy(funnel.approve),
    },
  };
  return { outcome: { status: 'ok', value: { decision: 'advisory' } }, events: [event] };
}

/** The rules, as the YAML of the funnel spells them. */
function shownPolicy(policy: ApprovalPolicy): JsonObject {
  return {
    rules: policy.rules.map(({ scope, roles, quorum }) => ({
      scope,
      roles: [...roles],
      quorum: typeof quorum === 'string' ? quorum : { 'k-of': quorum.kOf },
    })),
    exclude_author: policy.excludeAuthor,
    min_distinct_approvers: policy.minDistinctApprovers,
  };
}

/** What the log says of a round that opens, in this order (docs/design/journal.md#park). */
function openingEvents({ gate, items, carried }: GateOpening, author: Author): readonly NewEvent[] {
  const base = { agentId: gate.agentId, skillId: null };
  return [
    {
      ...base,
      type: 'funnel.gate_opened',
      payload: {
        gate_id: gate.gateId,
        topology_id: gate.topologyId,
        funnel_id: gate.funnelId,
        artifact_ref: gate.artifactRef,
        sha256: gate.sha256,
        round: gate.round,
        retries: gate.evidence.retries,
        escalated: gate.evidence.escalated,
        critique: gate.evidence.critique,
        judge_score: gate.evidence.judge?.confidence ?? null,
        expires_at: gate.expiresAt,
      },
    },
    {
      ...base,
      type: 'approval.gate_opened',
      payload: {
        gate_id: gate.gateId,
        round: gate.round,
        artifact_ref: gate.artifactRef,
        sha256: gate.sha256,
        policy_digest: gate.policyDigest,
        role_tasks: items.flatMap((item) => roleTask(item, carried)),
        author: {
          identity: author.identity,
          ...nameBeside(author),
          assurance: author.assurance,
          identified: author.identified,
        },
      },
    },
    ...items.filter(isAsked).map((item): NewEvent => ({ ...base, type: 'hitl.requested', payload: requestOf(item) })),
    ...(gate.status === 'pending' ? [] : [decidedAtOnce(gate, carried)]),
  ];
}

const isAsked = (item: ReviewItem): boolean => item.status === 'pending' && !item.withdrawn;

/** Decisions that were carried over decide a round as it opens. */
const decidedAtOnce = (gate: GateRound, carried: readonly RecordedDecision[]): NewEvent => ({
  type: 'approval.gate_resolved',
  agentId: gate.agentId,
  skillId: null,
  payload: {
    gate_id: gate.gateId,
    round: gate.round,
    status: gate.status,
    approvers: [...new Set(carried.map((decision) => decision.person))],
    by: '',
    comment: '',
    resumed: false,
  },
});

function roleTask(item: ReviewItem, carried: readonly RecordedDecision[]) {
  if (item.role === null || item.scope === null || item.ruleIndex === null) return [];
  const isCarried = carried.some((decision) => decision.itemId === item.id);
  return [{ item_id: item.id, role: item.role, scope: item.scope, rule_index: item.ruleIndex, carried: isCarried }];
}
