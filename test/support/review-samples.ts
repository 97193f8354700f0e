import type { RunEvent } from '../../src/domain/events.js';
import type {
  ApprovalPolicy,
  GateOpening,
  GateRound,
  RecordedDecision,
  ReviewItem,
  ReviewState,
} from '../../src/domain/gates.js';
import type { RunWrite } from '../../src/domain/journal.js';
import type { ReviewChange } from '../../src/domain/ports/reviews.js';
import { eventOf, type SampleIds, startWrite, stepOf } from './store-samples.js';

export const OPENED_AT = '2026-01-02T03:04:06.000Z';

const POLICY: ApprovalPolicy = {
  rules: [{ scope: 'release', roles: ['qa', 'ops'], quorum: 'all', covers: ['/version'] }],
  excludeAuthor: true,
  onRevision: 'reconfirm_changed',
  minDistinctApprovers: 2,
  expiry: { afterMs: 3_600_000, remindBeforeMs: 600_000, action: 'escalate', escalateTo: ['lead'] },
};

export function gateOf(jobId: string, over: Partial<GateRound> = {}): GateRound {
  return {
    gateId: `${jobId}:writer`,
    round: 0,
    jobId,
    topologyId: 'review',
    agentId: 'writer',
    activation: 'root/c0:writer',
    funnelId: 'release',
    status: 'pending',
    artifactRef: `${jobId}/${jobId}/writer#${'d'.repeat(12)}`,
    sha256: 'd'.repeat(64),
    mediaType: 'application/json',
    policy: POLICY,
    policyDigest: 'e'.repeat(64),
    evidence: {
      retries: 1,
      escalated: true,
      failedLayers: ['judge'],
      critique: 'too long\u0000',
      judge: { skill: 'fit', verdict: 'fail', confidence: 0.25, reasoning: 'no' },
      findings: [{ id: 'f-1', severity: 'low' }],
      diffSha256: null,
    },
    parts: { '0': { '/version': 'f'.repeat(64) } },
    escalatedTo: [],
    openedAt: OPENED_AT,
    expiresAt: null,
    remindAt: null,
    decidedAt: null,
    withdrawn: false,
    ...over,
  };
}

/** The task of one role in a round. */
export function taskOf(gate: GateRound, role: string, over: Partial<ReviewItem> = {}): ReviewItem {
  return itemOf(gate.jobId, `mpa-${gate.gateId}-0-${role}${gate.round === 0 ? '' : `-r${gate.round}`}`, {
    kind: 'role_task',
    stepKey: `${gate.activation}/gate${gate.round}`,
    gateId: gate.gateId,
    ruleIndex: 0,
    role,
    scope: 'release',
    round: gate.round,
    artifactRef: gate.artifactRef,
    question: null,
    options: [],
    freeTextAllowed: false,
    ...over,
  });
}

export function itemOf(jobId: string, id: string, over: Partial<ReviewItem> = {}): ReviewItem {
  return {
    id,
    kind: 'other',
    jobId,
    topologyId: 'review',
    agentId: 'writer',
    skillId: null,
    stepKey: 'root/c1:ask',
    gateId: null,
    ruleIndex: null,
    role: null,
    scope: null,
    round: 0,
    status: 'pending',
    resolvedBy: '',
    comment: '',
    answer: null,
    reason: 'somebody must look',
    artifactRef: '',
    question: 'go on?',
    options: ['yes', 'no'],
    freeTextAllowed: true,
    details: { tool: 'fetch', arguments: { url: 'x' } },
    stale: false,
    withdrawn: false,
    escalated: false,
    reopened: 0,
    createdAt: OPENED_AT,
    resolvedAt: null,
    ...over,
  };
}

export function decisionOf(item: ReviewItem, id: string, over: Partial<RecordedDecision> = {}): RecordedDecision {
  return {
    id,
    itemId: item.id,
    gateId: item.gateId ?? '',
    jobId: item.jobId,
    round: item.round,
    ruleIndex: item.ruleIndex ?? 0,
    role: item.role ?? '',
    scope: item.scope ?? '',
    identity: 'qa-1@example.org',
    person: 'qa-1',
    assurance: 'asserted',
    outcome: 'approve',
    comment: 'fine\u0000',
    at: OPENED_AT,
    sha256: 'd'.repeat(64),
    policyDigest: 'e'.repeat(64),
    registryDigest: '1'.repeat(64),
    stale: false,
    carriedFrom: null,
    signature: { keyId: 'ab', publicKey: 'cd', value: 'ef' },
    ...over,
  };
}

export const gateOpened = (eventId: string, gate: GateRound): RunEvent =>
  eventOf(eventId, 'funnel.gate_opened', {
    gate_id: gate.gateId,
    topology_id: gate.topologyId,
    funnel_id: gate.funnelId,
    artifact_ref: gate.artifactRef,
    sha256: gate.sha256,
    round: gate.round,
    retries: 0,
    escalated: false,
    critique: null,
    judge_score: null,
    expires_at: gate.expiresAt,
  });

export const openingOf = (gate: GateRound, roles: readonly string[] = ['qa', 'ops']): GateOpening => ({
  gate,
  items: roles.map((role) => taskOf(gate, role)),
  carried: [],
});

/** The step of a gate, with its round. */
export const openWrite = (opening: GateOpening, events: readonly RunEvent[] = []): RunWrite => ({
  ...startOf(opening.gate.jobId, `${opening.gate.activation}/gate${opening.gate.round}`, events),
  opens: opening,
});

export const askWrite = (asks: readonly [ReviewItem, ...ReviewItem[]], events: readonly RunEvent[] = []): RunWrite => ({
  ...startOf(asks[0].jobId, asks[0].stepKey, events),
  asks,
});

function startOf(jobId: string, key: string, events: readonly RunEvent[]): Extract<RunWrite, { op: 'step.started' }> {
  const write = startWrite(stepOf(jobId, key, { kind: 'gate' }), events);
  if (write.op !== 'step.started') throw new Error('not a start');
  return write;
}

export const parkWrite = (
  waitingOn: readonly string[],
  eventId: string,
  over: { readonly autoResume?: boolean; readonly remote?: readonly string[] } = {},
): RunWrite => {
  const error = `waits for ${waitingOn.join(', ')}`;
  const events = [eventOf(eventId, 'run.parked', { waiting_on: [...waitingOn], error })];
  return { op: 'run.parked', waitingOn, error, autoResume: true, events, ...over };
};

/** What a change leaves as it is. */
export const nothing = <T>(result: T): ReviewChange<T> => ({
  result,
  gates: [],
  items: [],
  decisions: [],
  events: [],
  wake: null,
});

/**
 * The smallest decision there is, for tests of the stores: a pending task is approved by whoever
 * comes first; the gate is approved once all of its tasks are, and then wakes its run.
 */
export function approve(of: { readonly itemId: string; readonly by: string; readonly ids: Pick<SampleIds, 'uuid'> }) {
  return (state: ReviewState): ReviewChange<'recorded' | 'decided' | 'refused'> => {
    const item = state.items.find((one) => one.id === of.itemId);
    if (item === undefined || item.status !== 'pending' || item.stale || item.withdrawn) return nothing('refused');
    const after: ReviewItem = { ...item, status: 'approved', resolvedBy: of.by, resolvedAt: state.now };
    const gate = state.gates.find((one) => one.gateId === item.gateId && one.round === item.round);
    const rest = state.items.filter(
      (one) => one.gateId === item.gateId && one.round === item.round && one.id !== item.id,
    );
    const isDecided = gate !== undefined && rest.every((one) => one.status === 'approved');
    const resolved = {
      gate_id: item.gateId ?? '',
      round: item.round,
      status: 'approved' as const,
      approvers: [of.by],
      by: of.by,
      comment: '',
      resumed: true,
    };
    const requested = { requested_by: of.by, from_status: 'deferred' as const };
    return {
      result: isDecided ? 'decided' : 'recorded',
      gates: isDecided ? [{ ...gate, status: 'approved', decidedAt: state.now }] : [],
      items: [after],
      decisions:
        gate === undefined ? [] : [decisionOf(item, of.ids.uuid(), { identity: of.by, person: of.by, at: state.now })],
      events: isDecided ? [eventOf(of.ids.uuid(), 'approval.gate_resolved', resolved)] : [],
      wake: isDecided || gate === undefined ? eventOf(of.ids.uuid(), 'run.resumed', requested) : null,
    };
  };
}
