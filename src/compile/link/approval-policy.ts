import type { ApprovalPolicy, ApprovalRule, GateExpiry, Quorum } from '../../domain/gates.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject } from '../../domain/json.js';
import { durationMs } from '../../lib/duration.js';
import { flagAt, numberAt, objectAt, objectsAt, textAt, textsAt } from '../read.js';

function quorumOf(rule: JsonObject): Quorum {
  const count = numberAt(objectAt(rule, 'quorum'), 'k-of');
  if (count !== null) return { kOf: count };
  return textAt(rule, 'quorum') === 'any' ? 'any' : 'all';
}

const ruleOf = (rule: JsonObject): ApprovalRule => ({
  scope: textAt(rule, 'scope') ?? '',
  roles: [...new Set(textsAt(rule, 'roles'))],
  quorum: quorumOf(rule),
  covers: rule.covers === undefined ? null : textsAt(rule, 'covers'),
});

/** A duration of the block in milliseconds; null = it is not written. */
const msAt = (block: JsonObject, key: string): number | null => durationMs(textAt(block, key) ?? '');

function expiryOf(block: JsonObject): GateExpiry | null {
  const afterMs = msAt(block, 'expires_after');
  if (afterMs === null) return null;
  const action = textAt(block, 'on_expiry') === 'escalate' ? 'escalate' : 'reject';
  return {
    afterMs,
    remindBeforeMs: msAt(block, 'remind_before'),
    action,
    escalateTo: action === 'escalate' ? textsAt(block, 'escalate_to') : [],
  };
}

/**
 * An `approve:` block in the words of the engine, with its defaults
 * (docs/gates.md#the-policy-who-must-sign).
 */
export const approvalPolicy = (block: JsonObject): ApprovalPolicy => ({
  rules: objectsAt(block, 'rules').map(ruleOf),
  excludeAuthor: flagAt(block, 'exclude_author') ?? DEFAULTS.ApprovalPolicy.exclude_author,
  onRevision: textAt(block, 'on_revision') === 'reconfirm_changed' ? 'reconfirm_changed' : 'reset_all',
  minDistinctApprovers: numberAt(block, 'min_distinct_approvers'),
  expiry: expiryOf(block),
});
