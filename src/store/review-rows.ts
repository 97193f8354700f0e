// The rows of gates, of tasks for people and of their decisions.
import type { GateRound, RecordedDecision, ReviewItem } from '../domain/gates.js';
import { type RowOf, tableOf } from './columns.js';

/** Where a row stands in its table. */
interface Placed {
  readonly ord: number;
}

export const GATES = tableOf<GateRound>('gates', {
  gate_id: 'plain',
  round: 'plain',
  job_id: 'plain',
  topology_id: 'plain',
  agent_id: 'plain',
  activation: 'plain',
  funnel_id: 'plain',
  status: 'plain',
  artifact_ref: 'plain',
  sha256: 'plain',
  media_type: 'plain',
  policy: 'json',
  policy_digest: 'plain',
  evidence: 'json',
  parts: 'json',
  escalated_to: 'json',
  opened_at: 'plain',
  expires_at: 'plain',
  remind_at: 'plain',
  decided_at: 'plain',
  withdrawn: 'mark',
});
export type GateRecord = RowOf<GateRound> & Placed;

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
] as const satisfies readonly (keyof GateRecord)[];

export const ITEMS = tableOf<ReviewItem>('review_items', {
  id: 'plain',
  kind: 'plain',
  job_id: 'plain',
  topology_id: 'plain',
  agent_id: 'plain',
  skill_id: 'plain',
  step_key: 'plain',
  gate_id: 'plain',
  rule_index: 'plain',
  role: 'plain',
  scope: 'plain',
  round: 'plain',
  status: 'plain',
  resolved_by: 'plain',
  comment: 'plain',
  answer: 'plain',
  reason: 'plain',
  artifact_ref: 'plain',
  question: 'plain',
  options: 'json',
  free_text_allowed: 'mark',
  details: 'json',
  stale: 'mark',
  withdrawn: 'mark',
  escalated: 'mark',
  reopened: 'plain',
  created_at: 'plain',
  resolved_at: 'plain',
});
export type ItemRecord = RowOf<ReviewItem> & Placed;

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
] as const satisfies readonly (keyof ItemRecord)[];

export const DECISIONS = tableOf<RecordedDecision>('decisions', {
  id: 'plain',
  item_id: 'plain',
  gate_id: 'plain',
  job_id: 'plain',
  round: 'plain',
  rule_index: 'plain',
  role: 'plain',
  scope: 'plain',
  identity: 'plain',
  person: 'plain',
  assurance: 'plain',
  outcome: 'plain',
  comment: 'plain',
  at: 'plain',
  sha256: 'plain',
  policy_digest: 'plain',
  registry_digest: 'plain',
  stale: 'mark',
  carried_from: 'plain',
  signature: 'json?',
});
export type DecisionRecord = RowOf<RecordedDecision> & Placed;

export const MUTABLE_OF_DECISION = ['stale'] as const satisfies readonly (keyof DecisionRecord)[];
