// Satisfiability once more, for policies with too many orders to walk: is there any way to hand out
// the tasks that satisfies every rule and the floor? Who signs first never matters to that: people
// can always begin with the assignment that works.
import type { ApprovalPolicy } from '../../../src/domain/gates.js';
import { statusOf } from './count.js';
import { type Author, type People, personOf } from './people.js';
import { replaceAt, type Signature, type Task, tasksOf } from './world.js';

function mayComplete(policy: ApprovalPolicy, people: People, author: Author, { rule, role }: Task): readonly string[] {
  const seat = people.seats.get(role);
  if (seat === undefined || !seat.scopes.has(policy.rules[rule]?.scope ?? '')) return [];
  const excluded = policy.excludeAuthor ? personOf(people, author.identity) : null;
  return [...seat.members].filter((person) => person !== excluded);
}

export function isSatisfiable(policy: ApprovalPolicy, people: People, author: Author): boolean {
  const open = tasksOf(policy);
  const who = open.map((task) => mayComplete(policy, people, author, task));
  const hand = (at: number, tasks: readonly Task[], signatures: readonly Signature[]): boolean => {
    const task = tasks[at];
    if (task === undefined) return statusOf(policy, { rules: policy.rules, tasks, signatures }) === 'approved';
    // A task that is left open serves nothing that a signature would not serve too.
    if ((who[at]?.length ?? 0) === 0) return hand(at + 1, tasks, signatures);
    return (who[at] ?? []).some((person) => {
      const signature: Signature = {
        task: at,
        identity: person,
        person,
        outcome: 'approve',
        stale: false,
        carriedFrom: null,
      };
      return hand(at + 1, replaceAt(tasks, at, { ...task, by: signatures.length }), [...signatures, signature]);
    });
  };
  return hand(0, open, []);
}
