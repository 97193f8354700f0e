/**
 * Scopes that only a person may hold. No agent, token or transport can carry one;
 * `approvals:resolve` comes from role membership alone (docs/design/decisions.md#membership).
 */
export const RESERVED_SCOPES = [
  'skills:activate',
  'skills:write_pending',
  'mcp_servers:deploy',
  'mcp_servers:scaffold',
  'topologies:modify',
  'iam:modify',
  'audit:modify',
  'pipeline:advance',
  'pipeline:skip',
  'approvals:resolve',
] as const;

/**
 * True for the reserved ten, for everything under `audit:`, for the bare wildcard and for a
 * wildcard that would cover a reserved scope. Case and surrounding blanks make no difference.
 */
export function isReservedScope(scope: string): boolean {
  const name = scope.trim().toLowerCase();
  const [resource = '', action = ''] = name.split(':');
  if (resource === '*' || resource === 'audit') return true;
  return RESERVED_SCOPES.some(
    (reserved) => reserved === name || (action.includes('*') && reserved.startsWith(`${resource}:`)),
  );
}
