import { everybody, type ProofModel } from './proof-model.js';

/** People with the same tasks: whoever of them signs, the policy sees no difference. */
export interface PeopleClass {
  readonly people: readonly string[];
}

/** People by the set of their tasks. */
export function peopleClasses(model: ProofModel): readonly PeopleClass[] {
  const byTasks = new Map<string, string[]>();
  for (const person of everybody(model)) {
    const key = model.tasks.map((task) => (task.people.includes(person) ? '1' : '0')).join('');
    byTasks.set(key, [...(byTasks.get(key) ?? []), person]);
  }
  return [...byTasks.values()].map((people) => ({ people }));
}

/**
 * Sets of at most `most` people, up to exchanging people of one class. Null when there would be
 * more than `limit` of them: the caller then says that it did not look.
 */
export function peopleSets(
  classes: readonly PeopleClass[],
  most: number,
  limit: number,
): readonly (readonly string[])[] | null {
  let sets: readonly (readonly string[])[] = [[]];
  for (const { people } of classes) {
    const next: (readonly string[])[] = [];
    for (const set of sets) {
      for (let count = 0; count <= people.length && set.length + count <= most; count++)
        next.push([...set, ...people.slice(0, count)]);
      if (next.length > limit) return null;
    }
    sets = next;
  }
  return sets;
}
