import { largestMatching } from './matching.js';
import { type PeopleClass, peopleClasses, peopleSets } from './people-classes.js';
import { limitedTo, type ProofModel, type ProofTask } from './proof-model.js';

/**
 * People who can sign a satisfiable policy into a corner: afterwards a task is open that nobody may
 * complete.
 */
export interface Deadlock {
  /** Those who sign, and nobody else. */
  readonly people: readonly string[];
  /** The task that then stays open. */
  readonly ruleIndex: number;
  readonly role: string;
}

/** What the search says. */
export interface DeadlockSearch {
  readonly found: Deadlock | null;
  /** False: there were too many sets of people to look at all of them. */
  readonly isComplete: boolean;
}

/**
 * Looks for a deadlock of a policy that can be satisfied. Exact: only a floor can lead into one, at
 * the moment when every task that anybody may complete is done by fewer people than the floor asks
 * for. Then either a task that nobody may complete is still open, so nothing opens again, or the
 * task that opens again has no member who has not signed. A signer who takes a reopened task over
 * leads to an assignment that could have been made at once, so looking at all first assignments is
 * enough.
 */
export function findDeadlock(model: ProofModel, limit: number): DeadlockSearch {
  if (model.floor < 2) return { found: null, isComplete: true };
  const impossible = model.tasks.find((task) => task.people.length === 0);
  return impossible === undefined ? findReopened(model, limit) : findUncovered(model, impossible, limit);
}

const found = (people: readonly string[], { ruleIndex, role }: ProofTask): DeadlockSearch => ({
  found: { people, ruleIndex, role },
  isComplete: true,
});
const none = (isComplete: boolean): DeadlockSearch => ({ found: null, isComplete });

/**
 * Too few people who can complete every task that anybody may. Only people with most tasks count:
 * nobody covers more than they do.
 */
function findUncovered(model: ProofModel, impossible: ProofTask, limit: number): DeadlockSearch {
  const sets = peopleSets(widest(model), model.floor - 1, limit);
  const covering = sets?.find((people) =>
    model.tasks.every((task) => task.people.length === 0 || task.people.some((person) => people.includes(person))),
  );
  return covering === undefined ? none(sets !== null) : found(covering, impossible);
}

/** One person of each class whose tasks are not all among those of another class. */
function widest(model: ProofModel): readonly PeopleClass[] {
  const classes = peopleClasses(model).map(({ people }) => ({ people: people.slice(0, 1) }));
  const tasksOf = (one: PeopleClass) =>
    model.tasks.flatMap((task, index) => (task.people.includes(one.people[0] ?? '') ? [index] : []));
  const withTasks = classes.map((one) => ({ one, tasks: new Set(tasksOf(one)) }));
  return withTasks
    .filter(
      ({ tasks }) =>
        !withTasks.some((other) => other.tasks.size > tasks.size && [...tasks].every((task) => other.tasks.has(task))),
    )
    .map(({ one }) => one);
}

/**
 * A task with so few people that all of them can have signed, and others who sign with them, still
 * too few.
 */
function findReopened(model: ProofModel, limit: number): DeadlockSearch {
  const classes = peopleClasses(model);
  let isComplete = true;
  for (const [index, task] of model.tasks.entries()) {
    const most = model.floor - 1 - task.people.length;
    if (most < 0) continue;
    const others = classes.filter(({ people }) => people.every((person) => !task.people.includes(person)));
    const sets = peopleSets(others, most, limit);
    const signers = sets?.find((set) => canSignAlone(model, index, [...task.people, ...set]));
    if (signers !== undefined) return found([...task.people, ...signers], task);
    isComplete &&= sets !== null;
  }
  return none(isComplete);
}

/**
 * These people, and nobody else, can do every task, so that one of them does this one last and
 * another one before.
 */
function canSignAlone(model: ProofModel, last: number, people: readonly string[]): boolean {
  const { tasks } = limitedTo(model, (person) => people.includes(person));
  return tasks.every((task) => task.people.length > 0) && canBeLast(tasks, last, people);
}

/** One person does this task and another one, and each of the others has a task of their own. */
const canBeLast = (tasks: readonly ProofTask[], last: number, people: readonly string[]): boolean =>
  (tasks[last]?.people ?? []).some((twice) =>
    tasks.some((task, other) => {
      if (other === last || !task.people.includes(twice)) return false;
      const left = tasks
        .filter((_, index) => index !== last && index !== other)
        .map((rest) => rest.people.filter((person) => person !== twice));
      return largestMatching(left) === people.length - 1;
    }),
  );
