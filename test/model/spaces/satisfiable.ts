// What `kit validate` proves of a policy, against what the oracle finds by walking every order of
// approvals.
import type { ApprovalPolicy, RoleDirectory } from '../../../src/domain/gates.js';
import { provePolicy } from '../../../src/govern/approval/prove-policy.js';
import { randomFrom } from '../../support/crash-share.js';
import { type Case, Difference } from '../drive/case.js';
import { isSatisfiable } from '../oracle/assignments.js';
import { type Author, type People, readPeople } from '../oracle/people.js';
import { reach } from '../oracle/reach.js';
import { tasksOf } from '../oracle/world.js';
import { count, type Explored } from './explore.js';
import { randomStart } from './random-case.js';
import { PEOPLE, type SmallCase, smallCase } from './small.js';

const NOBODY: Author = { identity: 'anonymous', assurance: 'asserted' };
const MAX_TASKS = 6;
/** Every order of approvals is walked for some of the smaller ones: there are up to 160,000. */
const MAX_WALKED_TASKS = 4;
const WALK_EVERY = 4;

const deadlockText = (is: boolean, reported: unknown): string =>
  `people can ${is ? '' : 'not '}run into a deadlock, and validate says: ${JSON.stringify(reported)}`;

/** A person who submits, to whom a registry may give several names. */
const submitterOf = (person: string): Author => ({ identity: person, assurance: 'authenticated' });

/** What the proof says of runs of this submitter: nobody in the list is like anybody else. */
function reportedOf(policy: ApprovalPolicy, roles: RoleDirectory, person: string) {
  const proof = provePolicy(policy, roles);
  return (
    proof.submitters.find((entry) => entry.person === person) ?? proof.submitters.find((entry) => entry.person === null)
  );
}

/** The registry without everybody else: who is left can sign. */
const limited = (roles: RoleDirectory, people: readonly string[]): RoleDirectory => ({
  ...roles,
  roles: roles.roles.map((role) => ({ ...role, members: role.members.filter((member) => people.includes(member)) })),
});

/** An idle rule changes nothing, whichever people there are. */
function idleProblem(policy: ApprovalPolicy, roles: RoleDirectory, idle: readonly number[]): string | null {
  const rest = { ...policy, rules: policy.rules.filter((_, index) => !idle.includes(index)) };
  for (let set = 0; set < 1 << PEOPLE.length; set++) {
    const people = readPeople(
      limited(
        roles,
        PEOPLE.filter((_, index) => (set >> index) & 1),
      ),
    );
    if (isSatisfiable(policy, people, NOBODY) !== isSatisfiable(rest, people, NOBODY))
      return `rules ${idle.join()} are called idle and matter`;
  }
  return null;
}

function singlePointsProblem(policy: ApprovalPolicy, people: People, reported: readonly string[]): string | null {
  const without = (person: string): boolean =>
    isSatisfiable({ ...policy, excludeAuthor: true }, people, submitterOf(person));
  const points = isSatisfiable(policy, people, NOBODY) ? PEOPLE.filter((person) => !without(person)) : [];
  return points.join() === [...reported].sort().join()
    ? null
    : `the single points of failure are ${points.join()}, not ${reported.join()}`;
}

/** One case of the small space: satisfiable, deadlock, single points of failure and idle rules. */
export function proveSmall(small: SmallCase, total: Explored): void {
  const start = smallCase(small);
  const [policy] = start.policies;
  if (policy === undefined) throw new Error('a case has a policy');
  const people = readPeople(start.roles);
  const found = reach(policy, people, start.author);
  const proof = provePolicy(policy, start.roles);
  const reported = reportedOf(policy, start.roles, start.author.identity);
  const problem = !proof.isComplete
    ? 'the proof of a small policy is not complete'
    : (reported?.obstacle === null) !== found.satisfiable
      ? `the policy is ${found.satisfiable ? '' : 'not '}satisfiable, and validate says: ${JSON.stringify(reported?.obstacle)}`
      : (reported?.deadlock !== null) !== found.deadlock
        ? deadlockText(found.deadlock, reported?.deadlock)
        : found.satisfiable !== isSatisfiable(policy, people, start.author)
          ? 'the two readings of the oracle differ'
          : (singlePointsProblem(policy, people, proof.singlePoints) ??
            idleProblem(policy, start.roles, proof.idleRules));
  if (problem !== null) throw new Difference(problem, start, null);
  total.states += 1;
  count(total, found.satisfiable ? 'satisfiable' : 'unsatisfiable');
  if (found.deadlock) count(total, 'deadlock');
  if (proof.singlePoints.length > 0) count(total, 'single point of failure');
  if (proof.idleRules.length > 0) count(total, 'idle rule');
}

/** A random policy, for every submitter: each person, and nobody known. */
export function proveRandom(seed: number, index: number, total: Explored): void {
  const { start } = randomStart(randomFrom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x27d4eb2f)));
  const [policy] = start.policies;
  if (policy === undefined || tasksOf(policy).length > MAX_TASKS) {
    count(total, 'too many tasks');
    return;
  }
  const people = readPeople(start.roles);
  const persons = new Set([...people.seats.values()].flatMap(({ members }) => [...members]));
  for (const author of [NOBODY, ...[...persons].map(submitterOf)]) {
    const satisfiable = isSatisfiable(policy, people, author);
    const reported = reportedOf(policy, start.roles, author.identity);
    const shown: Case = { ...start, author };
    if ((reported?.obstacle === null) !== satisfiable)
      throw new Difference(
        `the policy is ${satisfiable ? '' : 'not '}satisfiable, and validate says: ${JSON.stringify(reported?.obstacle)}`,
        shown,
        null,
      );
    total.states += 1;
    count(total, satisfiable ? 'satisfiable' : 'unsatisfiable');
    if (!satisfiable || index % WALK_EVERY !== 0 || tasksOf(policy).length > MAX_WALKED_TASKS) continue;
    const { deadlock } = reach(policy, people, author);
    count(total, deadlock ? 'deadlock' : 'no deadlock');
    if ((reported?.deadlock !== null) !== deadlock)
      throw new Difference(deadlockText(deadlock, reported?.deadlock), shown, null);
  }
}
