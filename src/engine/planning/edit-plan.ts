import type { AgentNode } from '../../domain/agent-node.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';
import { problems, skipped } from '../../prompts/plan.js';
import { endGone } from '../../prompts/shortened.js';
import { planProblems, readTask, withImplied, withSynthesis } from './new-tasks.js';
import { isPending, type Plan, setState, type Task, taskLine } from './plan.js';
import { grownScope, textsOf } from './scope.js';

/** What a plan tool answers. A problem is an error result that changes nothing. */
export interface PlanAnswer {
  readonly output: JsonObject;
  readonly isError: boolean;
}

/** Characters of a task's result that one call gives back (docs/design/execution.md#plans). */
export const MAX_RESULT_CHARS = 50_000;

export function createPlan(plan: Plan, node: AgentNode, input: JsonObject): PlanAnswer {
  if (plan.tasks.length > 0) return refused([problems.thereIsAPlan]);
  return accept(plan, node, [], objectsOf(input.tasks).map(readTask));
}

export function updatePlan(plan: Plan, node: AgentNode, input: JsonObject): PlanAnswer {
  if (plan.tasks.length === 0) return refused([problems.noPlan]);
  const removed = textsOf(input.remove);
  const updates = objectsOf(input.update);
  const added = objectsOf(input.add).map(readTask);
  const touched = [...removed, ...updates.map((update) => String(update.id))];
  const wrong = touched.flatMap((id) => {
    const task = plan.tasks.find((one) => one.id === id);
    if (task === undefined) return [problems.noTask(id)];
    return isPending(task) ? [] : [problems.notPending(id, task.state.status)];
  });
  if (wrong.length > 0) return refused(wrong);
  const kept = plan.tasks
    .filter(({ id }) => !removed.includes(id))
    .map((task) =>
      updated(
        task,
        updates.find(({ id }) => id === task.id),
      ),
    );
  const answer = accept(plan, node, kept, added, new Set(updates.map(({ id }) => String(id))));
  if (!answer.isError && input.complete === true) {
    for (const task of plan.tasks.filter(isPending))
      setState(plan, task.id, { status: 'skipped', reason: skipped.completed });
  }
  return answer.isError ? answer : { output: { ...answer.output, tasks: plan.tasks.map(taskLine) }, isError: false };
}

function updated(task: Task, update: JsonObject | undefined): Task {
  if (update === undefined) return task;
  const { agent, instruction, dependsOn } = task;
  return readTask({ agent, instruction, depends_on: [...dependsOn], ...update, id: task.id });
}

function accept(
  plan: Plan,
  node: AgentNode,
  kept: readonly Task[],
  added: readonly Task[],
  changed: ReadonlySet<string> = new Set(),
): PlanAnswer {
  const checked = [...added, ...kept.filter(({ id }) => changed.has(id))];
  const written = [...kept, ...added];
  const early = planProblems(plan, node, { tasks: written, added: checked });
  if (early.length > 0) return refused(early);
  const whole = withSynthesis(plan, written);
  const fresh = [...checked, ...whole.slice(written.length)];
  const tasks = withImplied(plan, node, whole, new Set(fresh.map(({ id }) => id)));
  // What was implied may close a circle that was not written; whatever lost a task that it needs is
  // named here, too.
  const late = planProblems({ ...plan, planning: { ...plan.planning, twoPhase: false } }, node, {
    tasks,
    added: tasks.filter(isPending),
  });
  if (late.length > 0) return refused(late);
  plan.tasks = tasks;
  plan.isChanged = true;
  if (tasks.some(isPending)) plan.isSettled = false;
  return { output: { status: 'accepted', tasks: tasks.map(taskLine) }, isError: false };
}

export function readResult(plan: Plan, input: JsonObject): PlanAnswer {
  const task = plan.tasks.find(({ id }) => id === input.task);
  if (task === undefined)
    return refused([
      problems.noTaskOf(
        String(input.task),
        plan.tasks.map(({ id }) => id),
      ),
    ]);
  if (task.state.status !== 'completed') return { output: taskLine(task), isError: task.state.status === 'failed' };
  return {
    output: { id: task.id, agent: task.agent, status: 'completed', result: cutResult(task.state.output) },
    isError: false,
  };
}

/** A long result keeps its beginning, as text. */
export function cutResult(output: Json): Json {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  if (text.length <= MAX_RESULT_CHARS) return output;
  return `${text.slice(0, MAX_RESULT_CHARS).toWellFormed()}\n${endGone(text.length)}`;
}

export function createScope(plan: Plan, input: JsonObject): PlanAnswer {
  if (plan.scope !== null) return refused([problems.thereIsAScope]);
  return grow(plan, input, '');
}

export function updateScope(plan: Plan, input: JsonObject): PlanAnswer {
  if (plan.scope === null) return refused([problems.noScope]);
  return grow(plan, input, 'add_');
}

function grow(plan: Plan, input: JsonObject, prefix: '' | 'add_'): PlanAnswer {
  plan.scope = grownScope(plan.scope, input, prefix);
  plan.isChanged = true;
  return { output: { status: 'accepted', scope: plan.scope as JsonObject }, isError: false };
}

export const readScope = (plan: Plan): PlanAnswer =>
  plan.scope === null
    ? refused([problems.noScopeToRead])
    : { output: { scope: plan.scope as JsonObject }, isError: false };

export const refused = (found: readonly string[]): PlanAnswer => ({
  output: { status: 'refused', problems: [...found] },
  isError: true,
});

const objectsOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.flatMap((item) => (isObject(item) ? [item] : [])) : [];
