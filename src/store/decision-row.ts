import type { RecordedDecision } from '../domain/gates.js';
import { flag, isSet, type RowParams } from './row-params.js';

/** The decisions table as both dialects return it; JSON columns as text, marks as 0 or 1. */
export interface DecisionRecord {
  readonly ord: number;
  readonly id: string;
  readonly item_id: string;
  readonly gate_id: string;
  readonly job_id: string;
  readonly round: number;
  readonly rule_index: number;
  readonly role: string;
  readonly scope: string;
  readonly identity: string;
  readonly person: string;
  readonly assurance: string;
  readonly outcome: string;
  readonly comment: string;
  readonly at: string;
  readonly sha256: string;
  readonly policy_digest: string;
  readonly registry_digest: string;
  readonly stale: number;
  readonly carried_from: number | null;
  readonly signature: string | null;
}

export const MUTABLE_OF_DECISION = ['stale'] as const;

export function encodeDecision(decision: RecordedDecision): RowParams<Exclude<keyof DecisionRecord, 'ord'>> {
  return {
    id: decision.id,
    item_id: decision.itemId,
    gate_id: decision.gateId,
    job_id: decision.jobId,
    round: decision.round,
    rule_index: decision.ruleIndex,
    role: decision.role,
    scope: decision.scope,
    identity: decision.identity,
    person: decision.person,
    assurance: decision.assurance,
    outcome: decision.outcome,
    comment: decision.comment,
    at: decision.at,
    sha256: decision.sha256,
    policy_digest: decision.policyDigest,
    registry_digest: decision.registryDigest,
    stale: flag(decision.stale),
    carried_from: decision.carriedFrom,
    signature: decision.signature === null ? null : JSON.stringify(decision.signature),
  };
}

/** The casts restore what `encodeDecision` and the table's checks let in. */
export function decodeDecision(record: DecisionRecord): RecordedDecision {
  return {
    id: record.id,
    itemId: record.item_id,
    gateId: record.gate_id,
    jobId: record.job_id,
    round: record.round,
    ruleIndex: record.rule_index,
    role: record.role,
    scope: record.scope,
    identity: record.identity,
    person: record.person,
    assurance: record.assurance as RecordedDecision['assurance'],
    outcome: record.outcome as RecordedDecision['outcome'],
    comment: record.comment,
    at: record.at,
    sha256: record.sha256,
    policyDigest: record.policy_digest,
    registryDigest: record.registry_digest,
    stale: isSet(record.stale),
    carriedFrom: record.carried_from,
    signature: record.signature === null ? null : (JSON.parse(record.signature) as RecordedDecision['signature']),
  };
}
