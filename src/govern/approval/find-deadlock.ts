import { largestMatching } from './matching.js';
import { peopleClasses, peopleSets } from './people-classes.js';
import { limitedTo, type ProofModel, type ProofTask } from './proof-model.js';

/** People who can sign a satisfiable policy into a corner: afterwards a task is open that nobody may complete. */
export interface Deadlock {
  /** Those who sign, and nobody else. */
  readonly people: readonly string[];
  /** The task that then stays open. */
  readonly ruleIndex: number;
  readonly role: string;
}

/** What the search says; `unknown`: there are too many sets of people to look at. */
export type DeadlockSearch = { readonly found: Deadlock | null; readonly isComplete: boolean };

/**
 * Looks for a deadlock of a policy that can be satisfied. Exact: only a floor can lead into one, at the moment when every task that
 * anybody may complete is done by fewer people than the floor asks for. Then either a task that nobody may complete is still open, so
 * nothing opens again, or the task that opens again has no member who has not signed. A signer who takes a reopened task over leads to an
 * assignment that could have been made at once, so looking at all first assignments is enough.
 */
export function findDeadlock(model: ProofModel, limit: number): DeadlockSearch {
  if (model.floor < 2) return { found: null, isComplete: true };
  const sets = peopleSets(peopleClasses(model), model.floor - 1, limit);
  if (sets === null) return { found: null, isComplete: false };
  const impossible = model.tasks.find((task) => task.people.length === 0);
  for (const people of sets) {
    const task = impossible === undefined ? reopensForNobody(model, people) : coversTheRest(model, people) ? impossible : null;
    if (task !== null) return { found: { people, ruleIndex: task.ruleIndex, role: task.role }, isComplete: true };
  }
  return { found: null, isComplete: true };
}

const coversTheRest = (model: ProofModel, people: readonly string[]): boolean =>
  model.tasks.every((task) => task.people.length === 0 || task.people.some((person) => people.includes(person)));

/** A task all of whose people are among these, where they can do everything so that one of them does it and another one. */
function reopensForNobody(model: ProofModel, people: readonly string[]): ProofTask | null {
  const { tasks } = limitedTo(model, (person) => people.includes(person));
  if (tasks.some((task) => task.people.length === 0)) return null;
  const at = model.tasks.findIndex((task, index) => task.people.every((person) => people.includes(person)) && canBeLast(tasks, index, people));
  return model.tasks[at] ?? null;
}

/** One person does this task and another one, and each of the others has a task of their own. */
const canBeLast = (tasks: readonly ProofTask[], last: number, people: readonly string[]): boolean =>
  (tasks[last]?.people ?? []).some((twice) =>
    tasks.some((task, other) => {
      if (other === last || !task.people.includes(twice)) return false;
      const left = tasks.filter((_, index) => index !== last && index !== other).map((rest) => rest.people.filter((person) => person !== twice));
      return largestMatching(left) === people.length - 1;
    }),
  );
