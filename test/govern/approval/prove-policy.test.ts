import { expect, test } from 'vitest';
import type { ApprovalPolicy, ApprovalRule, ReviewState, RoleDirectory } from '../../../src/domain/gates.js';
import { withRows } from '../../../src/govern/approval/change.js';
import { provePolicy } from '../../../src/govern/approval/prove-policy.js';
import { resolveItem } from '../../../src/govern/approval/resolve-item.js';
import { Desk, policy, registry, rule } from './build.js';

/**
 * What people can do to a gate, one decision at a time, through the engine itself: every order,
 * every person.
 */
function explore(roles: RoleDirectory, given: ApprovalPolicy, people: readonly string[], author: string) {
  const start = Desk.of(roles, { submittedBy: { identity: author, assurance: 'authenticated' } }).open({
    policy: given,
  }).state;
  const canApprove = new Map<string, boolean>();
  let hasDeadEnd = false;
  const keyOf = (state: ReviewState): string =>
    [
      ...state.items.map((item) => `${item.status === 'pending' ? item.reopened : item.resolvedBy}`),
      state.decisions.map((decision) => `${decision.itemId}${decision.stale}`).join(),
    ].join('|');
  const visit = (state: ReviewState): boolean => {
    if (state.gates[0]?.status === 'approved') return true;
    const key = keyOf(state);
    const known = canApprove.get(key);
    if (known !== undefined) return known;
    let can = false;
    for (const item of state.items.filter((open) => open.status === 'pending')) {
      for (const identity of people) {
        let next = state.decisions.length * 10;
        const newId = (): string => `${++next}`;
        const change = resolveItem(state, {
          itemId: item.id,
          identity,
          assurance: 'authenticated',
          isUnauthenticated: false,
          outcome: 'approve',
          comment: '',
          roles,
          newId,
          sign: null,
        });
        if (change.result.kind === 'recorded' && visit(withRows(state, change))) can = true;
      }
    }
    canApprove.set(key, can);
    if (!can) hasDeadEnd = true;
    return can;
  };
  return { satisfiable: visit(start), hasDeadEnd };
}

/** A small generator with a seed, so that a failing case can be run again. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PEOPLE = ['ann', 'bob', 'cid'];

function randomCase(below: (n: number) => number) {
  const some = <T>(all: readonly T[]): readonly T[] => all.filter(() => below(2) === 0);
  const names = ['qa', 'ops', 'sec'].slice(0, 1 + below(3));
  const roles = registry(Object.fromEntries(names.map((name) => [name, some(PEOPLE)])));
  const rules = Array.from({ length: 1 + below(2) }, (): ApprovalRule => {
    const chosen = some(names);
    const own = chosen.length === 0 ? names.slice(0, 1) : chosen;
    return rule(own, (['all', 'any', { kOf: 1 + below(own.length) }] as const)[below(3)]);
  });
  return {
    roles,
    given: policy(rules, { minDistinctApprovers: [null, 1, 2, 3][below(4)] ?? null, excludeAuthor: below(2) === 0 }),
  };
}

test('satisfiability and deadlocks are what the engine does when everybody tries everything in every order', () => {
  const below = random(20_260);
  const counts = { cases: 0, satisfiable: 0, deadlocked: 0 };
  for (let round = 0; round < 400; round++) {
    const { roles, given } = randomCase(below);
    const tasks = given.rules.reduce((sum, one) => sum + one.roles.length, 0);
    if (tasks > 4) continue;
    const proof = provePolicy(given, roles);
    for (const submitter of proof.submitters) {
      const seen = explore(roles, given, PEOPLE, submitter.person ?? 'eve');
      const what = JSON.stringify({ given, roles, submitter });
      expect(submitter.obstacle === null, what).toBe(seen.satisfiable);
      if (seen.satisfiable) expect(submitter.deadlock !== null, what).toBe(seen.hasDeadEnd);
      counts.cases++;
      if (seen.satisfiable) counts.satisfiable++;
      if (submitter.deadlock !== null) counts.deadlocked++;
    }
  }
  expect(counts.satisfiable).toBeGreaterThan(100);
  expect(counts.cases - counts.satisfiable).toBeGreaterThan(100);
  expect(counts.deadlocked).toBeGreaterThan(5);
});

test('one task cannot be signed by two people, however many members its role has', () => {
  const proof = provePolicy(
    policy([rule(['qa'])], { minDistinctApprovers: 2 }),
    registry({ qa: ['ann', 'bob', 'cid'] }),
  );
  expect(proof.submitters[0]).toEqual({
    person: null,
    obstacle: { kind: 'floor', needed: 2, able: 1, tasks: 1 },
    deadlock: null,
  });
});

test('a role without members is named where the quorum needs it', () => {
  const proof = provePolicy(policy([rule(['qa', 'ops'])]), registry({ qa: ['ann'], ops: [] }));
  expect(proof.submitters[0]?.obstacle).toEqual({
    kind: 'quorum',
    ruleIndex: 0,
    needed: 2,
    able: 1,
    emptyRoles: ['ops'],
  });
});

test('the only member of a role is a single point of failure, and cannot submit', () => {
  const proof = provePolicy(policy([rule(['qa', 'ops'])]), registry({ qa: ['ann', 'bob'], ops: ['cid'] }));
  expect(proof.singlePoints).toEqual(['cid']);
  expect(
    proof.submitters.filter((submitter) => submitter.obstacle !== null).map((submitter) => submitter.person),
  ).toEqual(['cid']);
});

test('an alias makes no second person', () => {
  const roles = registry({ qa: ['ann'], ops: ['ann@example.org'] }, [{ id: 'ann', aliases: ['ann@example.org'] }]);
  expect(
    provePolicy(policy([rule(['qa', 'ops'])], { minDistinctApprovers: 2 }), roles).submitters[0]?.obstacle,
  ).toMatchObject({
    kind: 'floor',
    able: 1,
  });
});

test('one person who is the only other member of the role that opens again is a deadlock, with the people and the task', () => {
  const roles = registry({ qa: ['ann', 'bob'], ops: ['ann'] });
  const proof = provePolicy(policy([rule(['qa', 'ops'])], { minDistinctApprovers: 2 }), roles);
  expect(proof.submitters[0]).toEqual({
    person: null,
    obstacle: null,
    deadlock: { people: ['ann'], ruleIndex: 0, role: 'ops' },
  });
});

test('of two rules that say the same, the later one can never matter', () => {
  const roles = registry({ qa: ['ann', 'bob'], ops: ['cid'] });
  expect(provePolicy(policy([rule(['qa']), rule(['qa'])]), roles).idleRules).toEqual([1]);
  expect(provePolicy(policy([rule(['qa', 'ops'], 'all'), rule(['qa', 'ops'], 'any')]), roles).idleRules).toEqual([1]);
  expect(provePolicy(policy([rule(['qa', 'ops'], 'any'), rule(['qa', 'ops'], 'all')]), roles).idleRules).toEqual([0]);
});

test('a rule matters when somebody can reject through it alone, when it watches parts, and when its task makes room for one more person', () => {
  const roles = registry({ qa: ['ann', 'bob'], ops: ['cid'] });
  expect(provePolicy(policy([rule(['qa']), rule(['qa', 'ops'], 'any')]), roles).idleRules).toEqual([]);
  expect(provePolicy(policy([rule(['qa']), rule(['qa'], 'all', ['CHANGELOG.md'])]), roles).idleRules).toEqual([]);
  expect(provePolicy(policy([rule(['qa']), rule(['qa'])], { minDistinctApprovers: 2 }), roles).idleRules).toEqual([]);
});

test('roles of an escalation that nobody holds are an obstacle once it is escalated', () => {
  const escalating = policy([rule(['qa'])], {
    expiry: { afterMs: 1, remindBeforeMs: null, action: 'escalate', escalateTo: ['boss'] },
  });
  expect(provePolicy(escalating, registry({ qa: ['ann'], boss: [] })).escalationObstacle).toMatchObject({
    kind: 'quorum',
    ruleIndex: 1,
    emptyRoles: ['boss'],
  });
  expect(provePolicy(escalating, registry({ qa: ['ann'], boss: ['zoe'] })).escalationObstacle).toBeNull();
});

test('many people in overlapping roles are proven in full where every role has enough of them', () => {
  const people = Array.from({ length: 140 }, (_, index) => `p${index}`);
  const roles = registry(
    Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((id, at) => [id, people.filter((_, index) => ((index * 7) >> at) % 2 === 0)]),
    ),
  );
  const proof = provePolicy(policy([rule(['a', 'b', 'c']), rule(['d', 'e', 'f'])], { minDistinctApprovers: 5 }), roles);
  expect(proof).toMatchObject({ isComplete: true, singlePoints: [], idleRules: [] });
  expect(proof.submitters.every(({ obstacle, deadlock }) => obstacle === null && deadlock === null)).toBe(true);
});

test('a proof that would have to look at too many sets of people says that it did not', () => {
  const people = Array.from({ length: 60 }, (_, index) => `p${index}`);
  const overlapping = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((id, at) => [id, people.filter((_, index) => ((index >> at) & 1) === 0)]),
  );
  const roles = registry({ ...overlapping, none: [] });
  const proof = provePolicy(
    policy([rule(['a', 'b', 'c', 'd', 'e', 'f', 'none'], { kOf: 6 })], {
      minDistinctApprovers: 5,
      excludeAuthor: false,
    }),
    roles,
  );
  expect(proof.submitters).toEqual([{ person: null, obstacle: null, deadlock: expect.anything() }]);
  const many = policy([rule(['a', 'b', 'c', 'd', 'e', 'f']), rule(['a', 'b'], 'any')], { excludeAuthor: false });
  expect(provePolicy(many, roles)).toMatchObject({ isComplete: false, idleRules: [] });
});
