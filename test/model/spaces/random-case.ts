// Seeded cases of at most three rules, three roles and four people under several names.
import type { ApprovalPolicy, ApprovalRule, GateExpiry, Quorum, RoleDirectory } from '../../../src/domain/gates.js';
import { below, oneOf, type Random } from '../../support/fuzz-mutations.js';
import type { Case } from '../drive/case.js';
import type { Author } from '../oracle/people.js';
import type { Draft } from '../oracle/world.js';

const SCOPES = ['release:approve', 'release:sign'] as const;
const ROLES = ['qa', 'ops', 'legal'] as const;
const NAMES = [
  ['ann', 'ann@work', 'a.smith'],
  ['ben', 'ben@work'],
  ['cay', 'cay@work'],
  ['dee', 'dee@work', 'd.jones'],
] as const;
const DAY_MS = 86_400_000;
const OUTSIDER = 'zed';

/** What the moves of a case choose from. */
export interface Cast {
  /** Names of each person; one entry a person. */
  readonly names: readonly (readonly string[])[];
  readonly roles: readonly string[];
}

export interface RandomStart {
  readonly start: Case;
  readonly cast: Cast;
}

const often = (random: Random, share: number): boolean => random() < share;

export const anyName = (random: Random, { names }: Cast): string =>
  often(random, 0.06) ? OUTSIDER : oneOf(random, oneOf(random, names));

export function directory(random: Random, { names, roles }: Cast): RoleDirectory {
  return {
    roles: roles.map((id) => ({
      id,
      members: names.filter(() => often(random, 0.6)).map((own) => oneOf(random, own)),
      scopes: often(random, 0.06) ? [oneOf(random, SCOPES)] : SCOPES,
    })),
    identities: names.filter((own) => own.length > 1).map(([id = '', ...aliases]) => ({ id, aliases })),
    digest: `${below(random, 1e9)}`.padEnd(64, 'd'),
  };
}

function rule(random: Random, roles: readonly string[]): ApprovalRule {
  const chosen = roles.filter(() => often(random, 0.6));
  const own = chosen.length > 0 ? chosen : [oneOf(random, roles)];
  const withGhost = often(random, 0.02) ? [...own, 'ghost'] : own;
  const quorum: Quorum = oneOf(random, ['all', 'all', 'any', { kOf: 1 + below(random, withGhost.length) }]);
  return { scope: oneOf(random, SCOPES), roles: withGhost, quorum, covers: often(random, 0.6) ? ['/body'] : null };
}

function expiry(random: Random, roles: readonly string[]): GateExpiry {
  const action = oneOf(random, ['reject', 'escalate', 'escalate'] as const);
  const escalateTo = action === 'reject' ? [] : [oneOf(random, roles)];
  return { afterMs: DAY_MS, remindBeforeMs: oneOf(random, [null, DAY_MS / 2]), action, escalateTo };
}

function policy(random: Random, roles: readonly string[]): ApprovalPolicy {
  return {
    rules: Array.from({ length: 1 + below(random, 3) }, () => rule(random, roles)),
    excludeAuthor: often(random, 0.6),
    onRevision: often(random, 0.65) ? 'reconfirm_changed' : 'reset_all',
    minDistinctApprovers: oneOf(random, [null, 1, 2, 2, 3, 3, 4]),
    expiry: often(random, 0.35) ? expiry(random, roles) : null,
  };
}

function author(random: Random, cast: Cast): Author {
  const kind = random();
  if (kind < 0.15) return { identity: 'anonymous', assurance: 'asserted' };
  if (kind < 0.25) return { identity: 'trigger:nightly', assurance: 'system' };
  return { identity: anyName(random, cast), assurance: kind < 0.45 ? 'asserted' : 'authenticated' };
}

/** Few digests, so that drafts and parts are often equal. */
export const draft = (random: Random, { rules }: ApprovalPolicy): Draft => ({
  sha256: `${below(random, 3)}`.repeat(12).padEnd(64, `${below(random, 3)}`),
  diff: oneOf(random, [null, null, 'e'.repeat(64), 'f'.repeat(64)]),
  parts: Object.fromEntries(
    rules.flatMap(({ covers }, index) =>
      covers === null ? [] : [[index, { '/body': `${below(random, 2)}`.repeat(64) }]],
    ),
  ),
});

export function randomStart(random: Random): RandomStart {
  const names = NAMES.slice(0, often(random, 0.05) ? 1 : 2 + below(random, 3)).map((own) =>
    own.slice(0, 1 + below(random, own.length)),
  );
  const cast: Cast = { names, roles: ROLES.slice(0, 1 + below(random, 3)) };
  const policies = Array.from({ length: often(random, 0.15) ? 2 : 1 }, () => policy(random, cast.roles));
  return {
    start: {
      policies,
      roles: directory(random, cast),
      author: author(random, cast),
      drafts: policies.map((own) => draft(random, own)),
    },
    cast,
  };
}
