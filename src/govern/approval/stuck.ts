import type { GateRound, ReviewItem, ReviewState, RoleDirectory } from '../../domain/gates.js';
import { foldName } from '../../lib/fold-name.js';
import { authorCalled, type RunAuthor } from './authors.js';
import { foldGate, type GateFold } from './fold.js';
import { asksForAnother } from './has-signed.js';
import { largestMatching } from './matching.js';
import { distinctPeople, peopleOf, roleCalled } from './people.js';
import { isOpen } from './rules.js';

/** An open task, and who may complete it by the registry as it is now. */
export interface OpenTask {
  readonly itemId: string;
  readonly role: string;
  readonly scope: string;
  /** Whose approval helps; whoever would leave too few others only where nobody else may sign. */
  readonly people: readonly string[];
  /** Why nobody can; null when somebody can. */
  readonly stuck: string | null;
}

/**
 * Open tasks of a round with the people who are asked for them: the same rules as `admit`, asked
 * for every person. Somebody of two roles may complete both tasks and fills one place of
 * `min_distinct_approvers`: where another one may sign, that one is asked.
 */
export function openTasks(...of: Parameters<typeof tasksAndPeople>): readonly OpenTask[] {
  const [state, gate] = of;
  const open = tasksAndPeople(...of);
  const floor = gate.policy.minDistinctApprovers ?? 0;
  if (floor < 2 || open.length === 0) return open;
  const reach: FloorReach = { floor, signed: foldGate(gate, state.decisions).approvers, open };
  return open.map((task) => {
    const helping = task.people.filter((person) => !wouldLeaveTooFew(reach, task.itemId, person));
    return helping.length === 0 ? task : { ...task, people: helping };
  });
}

/** Open tasks with everybody who may decide them, whoever signs the others. */
function tasksAndPeople(
  state: ReviewState,
  gate: GateRound,
  tasks: readonly ReviewItem[],
  roles: RoleDirectory,
  authors: readonly RunAuthor[],
): readonly OpenTask[] {
  if (gate.status !== 'pending' || gate.withdrawn) return [];
  return tasks.filter(isOpen).map((task) => openTask(state, gate, task, roles, authors));
}

function openTask(
  state: ReviewState,
  gate: GateRound,
  task: ReviewItem,
  roles: RoleDirectory,
  authors: readonly RunAuthor[],
): OpenTask {
  const role = task.role ?? '';
  const scope = task.scope ?? '';
  const open = { itemId: task.id, role, scope };
  const stuck = (why: string): OpenTask => ({ ...open, people: [], stuck: why });
  const found = roleCalled(roles, role);
  if (found === null) return stuck(`no role registry defines the role ${role}`);
  if (!found.scopes.includes(scope)) return stuck(`the role ${role} does not confer ${scope}`);
  const members = peopleOf(roles, found);
  if (members.length === 0) return stuck(`the role ${role} has no member`);
  const others = members.filter(
    (person) => !gate.policy.excludeAuthor || authorCalled(authors, roles, person) === null,
  );
  if (others.length === 0) return stuck(onlyAuthors(authors, roles, { role, members }));
  const people = others.filter((person) => !asksForAnother(state, { gate, task, roles, person }));
  return people.length === 0
    ? stuck(`every member of the role ${role} who may decide has signed this round already`)
    : { ...open, people, stuck: null };
}

function onlyAuthors(
  authors: readonly RunAuthor[],
  roles: RoleDirectory,
  of: { readonly role: string; readonly members: readonly string[] },
): string {
  const excluded = of.members.flatMap((person) => authorCalled(authors, roles, person) ?? []);
  const [first, ...others] = excluded;
  return first !== undefined && others.length === 0 && first.jobId === authors[0]?.jobId
    ? `${first.identity} submitted the run and is the only member of the role ${of.role}`
    : `every member of the role ${of.role} submitted the run or one that it goes on from: ${excluded
        .map(({ identity, jobId }) => `${identity} (run ${jobId})`)
        .join(', ')}`;
}

/**
 * People who may complete some task of the round by the registry as it is now, or could if it
 * opened again or the gate was escalated.
 */
export function signersOf(
  gate: GateRound,
  tasks: readonly ReviewItem[],
  roles: RoleDirectory,
  authors: readonly RunAuthor[],
): ReadonlySet<string> {
  const ofTasks = tasks.flatMap((task) => {
    const role = roleCalled(roles, task.role ?? '');
    return role === null || !role.scopes.includes(task.scope ?? '') ? [] : peopleOf(roles, role);
  });
  const { expiry, excludeAuthor } = gate.policy;
  const escalateTo = expiry?.action === 'escalate' ? expiry.escalateTo : [];
  const ofEscalation = roles.roles.flatMap((role) => (escalateTo.includes(role.id) ? peopleOf(roles, role) : []));
  const others = [...ofTasks, ...ofEscalation].filter(
    (person) => !excludeAuthor || authorCalled(authors, roles, person) === null,
  );
  return new Set(distinctPeople(others));
}

/**
 * Why the gate can never be approved any more, whatever people do, by the registry as it is now;
 * empty when it may be. It says so only when it is certain: people who sign in an unlucky order can
 * still run into a task that nobody may complete.
 */
export function whyNeverApproved(
  gate: GateRound,
  fold: GateFold,
  tasks: readonly ReviewItem[],
  open: readonly OpenTask[],
  signers: ReadonlySet<string>,
): readonly string[] {
  if (gate.status !== 'pending' || gate.withdrawn) return [];
  const possible = new Set(open.filter((task) => task.stuck === null).map((task) => task.itemId));
  const rules = fold.rules.flatMap(({ needed, completed }, index) => {
    const able = tasks.filter((task) => task.ruleIndex === index && possible.has(task.id)).length;
    return completed.length + able >= needed
      ? []
      : [`rule ${index + 1} needs ${needed} of its roles and can get ${completed.length + able}`];
  });
  if (fold.floorMet) return rules;
  const floor = gate.policy.minDistinctApprovers ?? 0;
  const able = new Set([...fold.approvers, ...signers]).size;
  if (able < floor) return [...rules, `${floor} people have to sign, and at most ${able} can`];
  if (tasks.some((task) => task.status === 'pending')) return rules;
  return [
    ...rules,
    `every task is done, ${fold.approvers.length} of ${floor} people signed, and nobody signed twice: no task can open again`,
  ];
}

/** How far the floor of a round is: who has signed, and who may complete what is still open. */
interface FloorReach {
  readonly floor: number;
  /** People with a counted approval. */
  readonly signed: readonly string[];
  readonly open: readonly { readonly itemId: string; readonly people: readonly string[] }[];
}

/**
 * True when after this approval too few different people can sign, each of them an open task of
 * their own.
 */
function wouldLeaveTooFew(reach: FloorReach, itemId: string, person: string): boolean {
  const { floor, signed, open } = reach;
  const after = { floor, signed: [...signed, person], open: open.filter((task) => task.itemId !== itemId) };
  return mostSigners(after) < floor;
}

/** At most so many different people can have signed in the end. */
function mostSigners({ signed, open }: FloorReach): number {
  const done = new Set(signed.map(foldName));
  const others = open.map(({ people }) => people.map(foldName).filter((person) => !done.has(person)));
  return distinctPeople(signed).length + largestMatching(others);
}
