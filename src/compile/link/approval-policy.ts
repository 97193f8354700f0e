import type { ApprovalPolicy, GateExpiry, Quorum } from '../../domain/gates.js';
import type {
  Duration,
  ApprovalPolicy as PolicyBlock,
  Quorum as QuorumBlock,
} from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import { durationMs } from '../../lib/duration.js';

const quorumOf = (quorum: QuorumBlock): Quorum => (typeof quorum === 'object' ? { kOf: quorum['k-of'] } : quorum);

/** A duration of the block in milliseconds; null = it is not written. */
const msOf = (duration: Duration = ''): number | null => durationMs(duration);

function expiryOf(block: PolicyBlock): GateExpiry | null {
  const afterMs = msOf(block.expires_after);
  if (afterMs === null) return null;
  const action = block.on_expiry ?? DEFAULTS.ApprovalPolicy.on_expiry;
  return {
    afterMs,
    remindBeforeMs: msOf(block.remind_before),
    action,
    escalateTo: action === 'escalate' ? (block.escalate_to ?? []) : [],
  };
}

/**
 * An `approve:` block in the words of the engine, with its defaults
 * (docs/gates.md#the-policy-who-must-sign).
 */
export function approvalPolicy(written: PolicyBlock): ApprovalPolicy {
  const block = { ...DEFAULTS.ApprovalPolicy, ...written };
  return {
    rules: block.rules.map(({ scope, roles, quorum, covers = null }) => ({
      scope,
      roles: [...new Set(roles)],
      quorum: quorumOf(quorum),
      covers,
    })),
    excludeAuthor: block.exclude_author,
    onRevision: block.on_revision,
    minDistinctApprovers: block.min_distinct_approvers ?? null,
    expiry: expiryOf(block),
  };
}
