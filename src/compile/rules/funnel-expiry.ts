import type { Severity } from '../../domain/diagnostic.js';
import type { HumanRole } from '../../domain/generated/artifacts.js';
import { durationMs } from '../../lib/duration.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { checkNamedRole, type FunnelScope } from './funnel-roles.js';

/** Ten years: beyond it a date is a slip of the pen, and before long none that a clock can hold. */
const MAX_EXPIRY_MS = 3660 * 86_400_000;

/**
 * Expiry (docs/gates.md#expiry): a time that a clock can hold, a reminder before it, and roles that
 * can sign what escalates to them.
 */
export function checkExpiry(scope: FunnelScope, roles: ReadonlyMap<string, HumanRole>): void {
  const { artifact, report } = scope;
  const policy = artifact.value.approve;
  const bad = (key: string, message: string, help: string, severity: Severity = 'error'): void =>
    report.add(
      { artifact, pointer: pointerTo('', 'approve', key) },
      { code: 'funnel.bad-expiry', severity, message, help },
    );
  const afterMs = durationMs(policy.expires_after ?? '');
  const remindMs = durationMs(policy.remind_before ?? '');
  if (afterMs !== null && afterMs > MAX_EXPIRY_MS)
    bad(
      'expires_after',
      'the gate would be open for more than ten years',
      'leave it out: a gate without it never expires',
    );
  if (afterMs !== null && remindMs !== null && remindMs >= afterMs)
    bad('remind_before', 'the reminder would come before the gate opens', 'write a time shorter than expires_after');
  const escalates = policy.on_expiry === 'escalate';
  if (policy.escalate_to !== undefined && !escalates)
    bad('escalate_to', 'nothing escalates to these roles', 'write `on_expiry: escalate` beside it', 'warning');
  if (!escalates) return;
  const first = policy.rules[0]?.scope ?? '';
  policy.escalate_to?.forEach((id, at) => {
    const pointer = pointerTo('', 'approve', 'escalate_to', at);
    checkNamedRole(scope, { id, pointer, scope: first, scopePointer: pointer }, roles);
  });
}
