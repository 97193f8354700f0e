// The two exhaustive walks: one round of approvals, and two rounds of every outcome.
import type { Outcome } from '../../../src/domain/gates.js';
import { type Case, Difference, type Move } from '../drive/case.js';
import { begin } from '../drive/open.js';
import { walker } from '../oracle/reach.js';
import { type Draft, lastRound, type World } from '../oracle/world.js';
import { type Explored, explore } from './explore.js';
import { authorOf, directoryOf, PEOPLE, policyOf, type SmallCase, smallCase } from './small.js';

/**
 * Where nobody is known as the author people sign at the open server; random cases try every
 * entry point.
 */
function tries(small: SmallCase, round: number, task: number, outcomes: readonly Outcome[]): readonly Move[] {
  const isUnauthenticated = small.author < 0;
  return PEOPLE.flatMap((identity) =>
    outcomes.map((outcome): Move => {
      const target = { gate: 0, round, task };
      return {
        kind: 'attempt',
        attempt: {
          target,
          identity,
          assurance: isUnauthenticated ? 'asserted' : 'authenticated',
          isUnauthenticated,
          outcome,
          comment: outcome === 'approve' ? '' : 'why',
        },
      };
    }),
  );
}

const tasksAt = (world: World, round: number): readonly number[] =>
  (world.gates[0]?.rounds[round]?.tasks ?? []).map((_, task) => task);

/** Every order in which people approve the tasks of one round, members or not. */
export function walkOneRound(small: SmallCase, total: Explored): void {
  const start = smallCase(small);
  const all = new Map<number, readonly Move[]>();
  const movesOf = (task: number): readonly Move[] => {
    const known = all.get(task) ?? tries(small, 0, task, ['approve']);
    all.set(task, known);
    return known;
  };
  const approvedBefore = total.approved;
  total.approved = false;
  const first = begin(start);
  const walk = walker(first.world.people);
  explore(
    start,
    first,
    { moves: (world) => tasksAt(world, 0).flatMap(movesOf), isLost: (world) => !walk(world).approved },
    total,
  );
  const satisfiable = walk(first.world).approved;
  if (total.approved !== satisfiable)
    throw new Difference(`some order approves: ${total.approved}; the oracle says ${satisfiable}`, start, null);
  total.approved ||= approvedBefore;
}

/** What a second draft leaves as it was. */
export const REVISIONS = [
  'reset_all',
  'covered part changed',
  'covered part kept',
  'all bytes changed',
  'diff changed',
  'same bytes',
] as const;
export type Revision = (typeof REVISIONS)[number];

function revised(small: SmallCase, revision: Revision): { readonly start: Case; readonly second: Draft } {
  const covers = revision.startsWith('covered') ? ['/body'] : null;
  const draft = (sha: string, part: string, diff: string): Draft => ({
    sha256: sha.repeat(64),
    diff: diff.repeat(64),
    parts: covers === null ? {} : { 0: { '/body': part.repeat(64) } },
  });
  const second = draft(
    revision === 'same bytes' || revision === 'diff changed' ? '1' : '2',
    revision === 'covered part changed' ? 'b' : 'a',
    revision === 'diff changed' ? 'e' : 'd',
  );
  const policy = policyOf(small, revision === 'reset_all' ? 'reset_all' : 'reconfirm_changed', covers);
  return {
    start: { policies: [policy], roles: directoryOf(small), author: authorOf(small), drafts: [draft('1', 'a', 'd')] },
    second,
  };
}

/**
 * Every order of every outcome in one round and, when changes are requested, in the next; approvals
 * of the first are tried in it too.
 */
export function walkTwoRounds(small: SmallCase, revision: Revision, total: Explored): void {
  const { start, second } = revised(small, revision);
  const all = new Map<string, readonly Move[]>();
  const movesOf =
    (round: number, outcomes: readonly Outcome[]) =>
    (task: number): readonly Move[] => {
      const key = `${round}.${outcomes.length}.${task}`;
      const known = all.get(key) ?? tries(small, round, task, outcomes);
      all.set(key, known);
      return known;
    };
  const moves = (world: World): readonly Move[] => {
    const last = (world.gates[0]?.rounds.length ?? 1) - 1;
    const now = tasksAt(world, last).flatMap(movesOf(last, ['approve', 'reject', 'changes_requested']));
    if (last === 1) return [...now, ...tasksAt(world, 0).flatMap(movesOf(0, ['approve']))];
    const reworks = world.gates.some((gate) => lastRound(gate).status === 'changes-requested');
    return reworks ? [...now, { kind: 'round', gate: 0, activation: 'root/d0', draft: second }] : now;
  };
  explore(start, begin(start), { moves }, total);
}
