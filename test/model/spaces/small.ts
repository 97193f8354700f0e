// Every policy of at most two rules and two roles, with every registry and author of three people,
// up to renaming.
import type { ApprovalPolicy, ApprovalRule, Quorum, RoleDirectory } from '../../../src/domain/gates.js';
import type { Case } from '../drive/case.js';
import type { Author } from '../oracle/people.js';

export const PEOPLE = ['ann', 'ben', 'cay'] as const;
const ROLES = ['qa', 'ops'] as const;
export const SCOPE = 'release:approve';

/** Roles as bits, people as bits: what can be permuted by arithmetic. */
export interface SmallRule {
  readonly roles: 1 | 2 | 3;
  readonly quorum: Quorum;
}

export interface SmallCase {
  readonly rules: readonly SmallRule[];
  /** Members of the first and the second role. */
  readonly members: readonly [number, number];
  /** Index of the author, or -1: nobody known. */
  readonly author: number;
  readonly excludeAuthor: boolean;
  readonly floor: number | null;
}

const QUORA: readonly Quorum[] = ['all', 'any', { kOf: 1 }, { kOf: 2 }];

export const RULES: readonly SmallRule[] = ([1, 2, 3] as const).flatMap((roles) =>
  QUORA.filter((quorum) => roles === 3 || typeof quorum === 'string' || quorum.kOf === 1).map((quorum) => ({
    roles,
    quorum,
  })),
);
const FLOORS = [null, 1, 2, 3] as const;
const SUBSETS = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const AUTHORS = [-1, 0, 1, 2] as const;

/** Every case with these rules, in a fixed order. */
export function* casesOf(rules: readonly SmallRule[]): Generator<SmallCase> {
  for (const floor of FLOORS)
    for (const excludeAuthor of [true, false])
      for (const author of AUTHORS)
        for (const qa of SUBSETS)
          for (const ops of SUBSETS) yield { rules, members: [qa, ops], author, excludeAuthor, floor };
}

export function* allSmallCases(): Generator<SmallCase> {
  for (const first of RULES) yield* casesOf([first]);
  for (const first of RULES) for (const second of RULES) yield* casesOf([first, second]);
}

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

const renamed = (mask: number, order: readonly number[]): number =>
  order.reduce((bits, to, from) => bits | (((mask >> from) & 1) << to), 0);
const swapped = (roles: number): number => (roles & 1 ? 2 : 0) | (roles & 2 ? 1 : 0);
const quorumCode = (quorum: Quorum): number => (quorum === 'all' ? 0 : quorum === 'any' ? 1 : 1 + quorum.kOf);
const ruleCode = ({ roles, quorum }: SmallRule, swap: boolean): number =>
  (swap ? swapped(roles) : roles) * 8 + quorumCode(quorum);

function code(small: SmallCase, order: readonly number[], swapRoles: boolean, swapRules: boolean): number {
  const [qa, ops] = small.members;
  const members = [renamed(swapRoles ? ops : qa, order), renamed(swapRoles ? qa : ops, order)] as const;
  const rules = small.rules.map((rule) => ruleCode(rule, swapRoles));
  const [first = 0, second = 0] = swapRules ? rules.toReversed() : rules;
  return (
    ((first * 64 + second) * 64 + members[0] * 8 + members[1]) * 4 + (small.author < 0 ? 3 : (order[small.author] ?? 3))
  );
}

/**
 * Nothing in the texts tells two people, two roles or two rules apart but their names and places,
 * so of the cases that differ in a permutation of these one stands for all. Floor and
 * `exclude_author` are the same in all of them. The engine could break this: a seeded sample of the
 * others is explored too, and must have as many states and attempts as its representative.
 */
export function representative(small: SmallCase): number {
  let least = Number.POSITIVE_INFINITY;
  for (const order of ORDERS)
    for (const swapRoles of [false, true])
      for (const swapRules of small.rules.length > 1 ? [false, true] : [false])
        least = Math.min(least, code(small, order, swapRoles, swapRules));
  return least;
}

export const isRepresentative = (small: SmallCase): boolean =>
  code(small, [0, 1, 2], false, false) === representative(small);

const named = (mask: number): readonly string[] => PEOPLE.filter((_, index) => (mask >> index) & 1);

export const ruleOf = ({ roles, quorum }: SmallRule, covers: readonly string[] | null): ApprovalRule => ({
  scope: SCOPE,
  roles: ROLES.filter((_, index) => (roles >> index) & 1),
  quorum,
  covers,
});

export function policyOf(
  { rules, excludeAuthor, floor }: SmallCase,
  onRevision: ApprovalPolicy['onRevision'],
  covers: readonly string[] | null,
): ApprovalPolicy {
  return {
    rules: rules.map((rule) => ruleOf(rule, covers)),
    excludeAuthor,
    onRevision,
    minDistinctApprovers: floor,
    expiry: null,
  };
}

export const directoryOf = ({ members }: SmallCase): RoleDirectory => ({
  roles: ROLES.map((id, index) => ({ id, members: named(members[index] ?? 0), scopes: [SCOPE] })),
  identities: [],
  digest: 'd'.repeat(64),
});

export const authorOf = ({ author }: SmallCase): Author =>
  author < 0
    ? { identity: 'anonymous', assurance: 'asserted' }
    : { identity: PEOPLE[author] ?? '', assurance: 'authenticated' };

export const smallCase = (small: SmallCase): Case => ({
  policies: [policyOf(small, 'reset_all', null)],
  roles: directoryOf(small),
  author: authorOf(small),
  drafts: [{ sha256: '1'.repeat(64), diff: null, parts: {} }],
});
