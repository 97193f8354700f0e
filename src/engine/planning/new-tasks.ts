import type { AgentNode } from '../../domain/agent-node.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { BRING_TOGETHER, problems } from '../../prompts/plan.js';
import { isPending, isResearchOnly, type Plan, SELF, type Task } from './plan.js';

/** Tasks of one plan; more than that is not a plan. */
const MAX_TASKS = 100;

/**
 * The task that `withSynthesis` adds; a coordinator may change or remove it like one of its own.
 */
const AUTO_SYNTHESIS = '__auto_synthesize__';

/** A task as a call writes it; the shape was checked against the schema of the tool. */
export function readTask(value: JsonObject): Task {
  const dependsOn = Array.isArray(value.depends_on) ? value.depends_on.map(String) : [];
  return {
    id: textOf(value.id),
    agent: textOf(value.agent),
    instruction: textOf(value.instruction),
    dependsOn,
    state: { status: 'pending' },
  };
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '');

/**
 * Dependencies that nobody has to write: a synthesis task that names none runs after all research,
 * documents after the coordinator's own synthesis too; a task of an agent that `depends_on`
 * siblings runs after their tasks.
 */
export function withImplied(
  plan: Plan,
  node: AgentNode,
  tasks: readonly Task[],
  added: ReadonlySet<string>,
): readonly Task[] {
  const roles = plan.planning.synthesisRoles;
  const isResearch = ({ agent }: Task): boolean => !roles.includes(agent);
  const children = new Map(node.children.map((child) => [child.id, child]));
  return tasks.map((task) => {
    if (!added.has(task.id)) return task;
    const { agent } = task;
    const before = tasks.filter((other) => {
      if (other.id === task.id) return false;
      if (children.get(agent)?.dependsOn.includes(other.agent) === true) return true;
      if (!roles.includes(agent) || task.dependsOn.length > 0) return false;
      return isResearch(other) || (agent !== SELF && other.agent === SELF);
    });
    return { ...task, dependsOn: [...new Set([...task.dependsOn, ...before.map(({ id }) => id)])] };
  });
}

/**
 * Documents are written from a synthesis: where several research tasks would feed one directly, the
 * coordinator's own synthesis is put between them (docs/design/execution.md#plans). A plan without
 * such documents gets none, because the coordinator's answer is its synthesis, and where a separate
 * model writes the answer nothing is added. The task is one like any other; what was removed or
 * failed is not added again.
 */
export function withSynthesis(plan: Plan, tasks: readonly Task[]): readonly Task[] {
  const roles = plan.planning.synthesisRoles;
  const research = tasks.filter(({ agent }) => !roles.includes(agent));
  const isWritten = (task: Task): boolean =>
    task.agent !== SELF && roles.includes(task.agent) && task.dependsOn.length === 0;
  const isNeeded =
    research.length >= 2 &&
    tasks.some((task) => isPending(task) && isWritten(task)) &&
    !tasks.some(({ agent }) => agent === SELF);
  if (!isNeeded || plan.hasSynthesizer || [...plan.tasks, ...tasks].some(({ id }) => id === AUTO_SYNTHESIS))
    return tasks;
  return [...tasks, readTask({ id: AUTO_SYNTHESIS, agent: SELF, instruction: BRING_TOGETHER })];
}

/**
 * What is wrong with a plan as it would be after a call, each a sentence with the name of the task;
 * empty = nothing.
 */
export function planProblems(
  plan: Plan,
  node: AgentNode,
  after: { readonly tasks: readonly Task[]; readonly added: readonly Task[] },
): readonly string[] {
  const { tasks, added } = after;
  const ids = tasks.map(({ id }) => id);
  const agents = [...node.children.map(({ id }) => id), SELF];
  const own = added.flatMap((task) => taskProblems(plan, task, { ids, agents }));
  const tooMany = tasks.length > MAX_TASKS ? [problems.tooMany(MAX_TASKS)] : [];
  return [...new Set([...own, ...tooMany, ...(own.length === 0 ? cycleProblems(tasks) : [])])];
}

interface Known {
  readonly ids: readonly string[];
  readonly agents: readonly string[];
}

function taskProblems(plan: Plan, task: Task, { ids, agents }: Known): readonly string[] {
  const { id, agent, instruction, dependsOn } = task;
  const unknown = dependsOn.filter((other) => !ids.includes(other));
  return [
    ...(id === '' ? [problems.noId] : []),
    ...(ids.filter((other) => other === id).length > 1 ? [problems.twice(id)] : []),
    ...(agents.includes(agent) ? [] : [problems.noAgent(id, agent, agents)]),
    ...(instruction === '' ? [problems.noInstruction(id)] : []),
    ...unknown.map((other) => problems.dependsOnNothing(id, other)),
    ...(isResearchOnly(plan) && plan.planning.synthesisRoles.includes(agent)
      ? [problems.writesTooSoon(id, agent)]
      : []),
    ...(isResearchOnly(plan) && dependsOn.length > 0 ? [problems.dependsTooSoon(id)] : []),
  ];
}

/** Tasks that wait for each other would never run. */
function cycleProblems(tasks: readonly Task[]): readonly string[] {
  let left = tasks;
  for (;;) {
    const ids = new Set(left.map(({ id }) => id));
    const blocked = left.filter(({ dependsOn }) => dependsOn.some((id) => ids.has(id)));
    if (blocked.length === left.length) return left.length === 0 ? [] : [problems.circle(left.map(({ id }) => id))];
    left = blocked;
  }
}
