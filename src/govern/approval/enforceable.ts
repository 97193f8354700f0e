import type { ApprovalPolicy, RoleDirectory } from '../../domain/gates.js';

/**
 * The role that is missing, or does not confer its scope, in one sentence; null when every role of
 * the policy can be asked.
 */
export function unenforceable(policy: ApprovalPolicy, registry: RoleDirectory): string | null {
  const named = policy.rules.flatMap((rule) => rule.roles.map((role) => ({ role, scope: rule.scope })));
  const escalated = (policy.expiry?.escalateTo ?? []).map((role) => ({ role, scope: policy.rules[0]?.scope ?? '' }));
  for (const { role, scope } of [...named, ...escalated]) {
    const known = registry.roles.find((one) => one.id === role);
    if (known === undefined) return `no role registry defines the role ${role}`;
    if (!known.scopes.includes(scope)) return `the role ${role} does not confer ${scope}`;
  }
  return null;
}
