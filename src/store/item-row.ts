import type { ReviewItem } from '../domain/gates.js';
import { flag, isSet, type RowParams } from './row-params.js';

/** The review_items table as both dialects return it; JSON columns as text, marks as 0 or 1. */
export interface ItemRecord {
  readonly ord: number;
  readonly id: string;
  readonly kind: string;
  readonly job_id: string;
  readonly topology_id: string;
  readonly agent_id: string;
  readonly skill_id: string | null;
  readonly step_key: string;
  readonly gate_id: string | null;
  readonly rule_index: number | null;
  readonly role: string | null;
  readonly scope: string | null;
  readonly round: number;
  readonly status: string;
  readonly resolved_by: string;
  readonly comment: string;
  readonly answer: string | null;
  readonly reason: string;
  readonly artifact_ref: string;
  readonly question: string | null;
  readonly options: string;
  readonly free_text_allowed: number;
  readonly details: string;
  readonly stale: number;
  readonly withdrawn: number;
  readonly escalated: number;
  readonly reopened: number;
  readonly created_at: string;
  readonly resolved_at: string | null;
}

/**
 * What a decision may change of a task; whose task it is, and about what, stays as it was opened.
 */
export const MUTABLE_OF_ITEM = [
  'status',
  'resolved_by',
  'comment',
  'answer',
  'reason',
  'details',
  'stale',
  'withdrawn',
  'escalated',
  'reopened',
  'resolved_at',
] as const;

export function encodeItem(item: ReviewItem): RowParams<Exclude<keyof ItemRecord, 'ord'>> {
  return {
    id: item.id,
    kind: item.kind,
    job_id: item.jobId,
    topology_id: item.topologyId,
    agent_id: item.agentId,
    skill_id: item.skillId,
    step_key: item.stepKey,
    gate_id: item.gateId,
    rule_index: item.ruleIndex,
    role: item.role,
    scope: item.scope,
    round: item.round,
    status: item.status,
    resolved_by: item.resolvedBy,
    comment: item.comment,
    answer: item.answer,
    reason: item.reason,
    artifact_ref: item.artifactRef,
    question: item.question,
    options: JSON.stringify(item.options),
    free_text_allowed: flag(item.freeTextAllowed),
    details: JSON.stringify(item.details),
    stale: flag(item.stale),
    withdrawn: flag(item.withdrawn),
    escalated: flag(item.escalated),
    reopened: item.reopened,
    created_at: item.createdAt,
    resolved_at: item.resolvedAt,
  };
}

/** The casts restore what `encodeItem` and the table's checks let in. */
export function decodeItem(record: ItemRecord): ReviewItem {
  return {
    id: record.id,
    kind: record.kind as ReviewItem['kind'],
    jobId: record.job_id,
    topologyId: record.topology_id,
    agentId: record.agent_id,
    skillId: record.skill_id,
    stepKey: record.step_key,
    gateId: record.gate_id,
    ruleIndex: record.rule_index,
    role: record.role,
    scope: record.scope,
    round: record.round,
    status: record.status as ReviewItem['status'],
    resolvedBy: record.resolved_by,
    comment: record.comment,
    answer: record.answer,
    reason: record.reason,
    artifactRef: record.artifact_ref,
    question: record.question,
    options: JSON.parse(record.options) as ReviewItem['options'],
    freeTextAllowed: isSet(record.free_text_allowed),
    details: JSON.parse(record.details) as ReviewItem['details'],
    stale: isSet(record.stale),
    withdrawn: isSet(record.withdrawn),
    escalated: isSet(record.escalated),
    reopened: record.reopened,
    createdAt: record.created_at,
    resolvedAt: record.resolved_at,
  };
}
