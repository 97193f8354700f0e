/**
 * Size of a largest matching of tasks to people: how many different people can each complete a task
 * of their own. `candidates` holds, for each task, the people who may complete it. Augmenting paths
 * (Kuhn): tasks are few.
 */
export function largestMatching(candidates: readonly (readonly string[])[]): number {
  const taskOf = new Map<string, number>();
  let size = 0;
  for (let task = 0; task < candidates.length; task++) if (place(candidates, taskOf, task, new Set())) size++;
  return size;
}

function place(
  candidates: readonly (readonly string[])[],
  taskOf: Map<string, number>,
  task: number,
  seen: Set<string>,
): boolean {
  for (const person of candidates[task] ?? []) {
    if (seen.has(person)) continue;
    seen.add(person);
    const held = taskOf.get(person);
    if (held === undefined || place(candidates, taskOf, held, seen)) {
      taskOf.set(person, task);
      return true;
    }
  }
  return false;
}
