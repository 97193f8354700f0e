import type { GateRound } from '../domain/gates.js';
import { flag, isSet, type RowParams } from './row-params.js';

/** The gates table as both dialects return it; JSON columns as text, marks as 0 or 1. */
export interface GateRecord {
  readonly ord: number;
  readonly gate_id: string;
  readonly round: number;
  readonly job_id: string;
  readonly topology_id: string;
  readonly agent_id: string;
  readonly activation: string;
  readonly funnel_id: string;
  readonly status: string;
  readonly artifact_ref: string;
  readonly sha256: string;
  readonly media_type: string;
  readonly policy: string;
  readonly policy_digest: string;
  readonly evidence: string;
  readonly parts: string;
  readonly escalated_to: string;
  readonly opened_at: string;
  readonly expires_at: string | null;
  readonly remind_at: string | null;
  readonly decided_at: string | null;
  readonly withdrawn: number;
}

/**
 * What a decision may change of a round; what was submitted, and to whom, stays as it was opened.
 */
export const MUTABLE_OF_GATE = [
  'status',
  'escalated_to',
  'expires_at',
  'remind_at',
  'decided_at',
  'withdrawn',
] as const;

export function encodeGate(gate: GateRound): RowParams<Exclude<keyof GateRecord, 'ord'>> {
  return {
    gate_id: gate.gateId,
    round: gate.round,
    job_id: gate.jobId,
    topology_id: gate.topologyId,
    agent_id: gate.agentId,
    activation: gate.activation,
    funnel_id: gate.funnelId,
    status: gate.status,
    artifact_ref: gate.artifactRef,
    sha256: gate.sha256,
    media_type: gate.mediaType,
    policy: JSON.stringify(gate.policy),
    policy_digest: gate.policyDigest,
    evidence: JSON.stringify(gate.evidence),
    parts: JSON.stringify(gate.parts),
    escalated_to: JSON.stringify(gate.escalatedTo),
    opened_at: gate.openedAt,
    expires_at: gate.expiresAt,
    remind_at: gate.remindAt,
    decided_at: gate.decidedAt,
    withdrawn: flag(gate.withdrawn),
  };
}

/** The casts restore what `encodeGate` and the table's checks let in. */
export function decodeGate(record: GateRecord): GateRound {
  return {
    gateId: record.gate_id,
    round: record.round,
    jobId: record.job_id,
    topologyId: record.topology_id,
    agentId: record.agent_id,
    activation: record.activation,
    funnelId: record.funnel_id,
    status: record.status as GateRound['status'],
    artifactRef: record.artifact_ref,
    sha256: record.sha256,
    mediaType: record.media_type,
    policy: JSON.parse(record.policy) as GateRound['policy'],
    policyDigest: record.policy_digest,
    evidence: JSON.parse(record.evidence) as GateRound['evidence'],
    parts: JSON.parse(record.parts) as GateRound['parts'],
    escalatedTo: JSON.parse(record.escalated_to) as GateRound['escalatedTo'],
    openedAt: record.opened_at,
    expiresAt: record.expires_at,
    remindAt: record.remind_at,
    decidedAt: record.decided_at,
    withdrawn: isSet(record.withdrawn),
  };
}
