import type { Effects } from '../domain/journal.js';
import type { LinkedCommand } from '../domain/linked-skill.js';
import type { LinkedServer } from '../domain/tool-server.js';

/** `mcp_servers[].permission`, `command_packs[].permission`. */
export type PermissionTier = LinkedCommand['permission'];

/**
 * What the tier says of a call: done at once, put to the governance provider, put to a person, or
 * refused.
 */
export type TierVerdict =
  | { readonly kind: 'allow' }
  | { readonly kind: 'evaluate' }
  | { readonly kind: 'approve'; readonly reason: string }
  | { readonly kind: 'deny'; readonly reason: string };

type Column = 'read' | 'change' | 'unknown';

const ALLOW: TierVerdict = { kind: 'allow' };
const EVALUATE: TierVerdict = { kind: 'evaluate' };
const APPROVE: TierVerdict = { kind: 'approve', reason: 'the permission tier strict asks for approval of every call' };

/** `destructive` stands with `write`, `none` with `read` (docs/design/execution.md#effects). */
const TABLE: Readonly<Record<PermissionTier, Readonly<Record<Column, TierVerdict>>>> = {
  open: { read: ALLOW, change: ALLOW, unknown: ALLOW },
  cautious: { read: ALLOW, change: EVALUATE, unknown: EVALUATE },
  strict: { read: APPROVE, change: APPROVE, unknown: APPROVE },
  readonly: {
    read: ALLOW,
    change: { kind: 'deny', reason: 'the permission tier readonly allows only calls whose declared effects are read' },
    unknown: {
      kind: 'deny',
      reason: 'the permission tier readonly needs declared effects, and this tool declares none',
    },
  },
};

const COLUMN: Readonly<Record<Effects, Column>> = {
  none: 'read',
  read: 'read',
  write: 'change',
  destructive: 'change',
  unknown: 'unknown',
};

/**
 * A tier or an effect that is not of the table (data from elsewhere) is refused or unknown, never
 * let through.
 */
export function decideTier(tier: string, effects: string): TierVerdict {
  if (!isTier(tier)) return { kind: 'deny', reason: `there is no permission tier ${JSON.stringify(tier)}` };
  return TABLE[tier][isEffect(effects) ? COLUMN[effects] : 'unknown'];
}

const STRICTNESS: Readonly<Record<TierVerdict['kind'], number>> = { allow: 0, evaluate: 1, approve: 2, deny: 3 };

/** Of two tiers the one that lets less of such a call through. */
export function stricterTier(one: PermissionTier, other: PermissionTier, effects: Effects): PermissionTier {
  return STRICTNESS[decideTier(other, effects).kind] > STRICTNESS[decideTier(one, effects).kind] ? other : one;
}

/** Tier of one tool of a server: its own where it has one, else the server's. */
export const toolTier = (
  server: Pick<LinkedServer, 'permission' | 'permissionOverrides'>,
  tool: string,
): PermissionTier =>
  (Object.hasOwn(server.permissionOverrides, tool) ? server.permissionOverrides[tool] : undefined) ?? server.permission;

const isTier = (value: string): value is PermissionTier => Object.hasOwn(TABLE, value);
const isEffect = (value: string): value is Effects => Object.hasOwn(COLUMN, value);
