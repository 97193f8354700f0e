import type { Json } from '../../domain/json.js';
import { taskOfPlan } from '../../prompts/plan.js';
import { type Activation, NO_HISTORY, textTask } from '../activation-call.js';
import { joinBranches } from '../join.js';
import { mergeWaits, type Parked } from '../park.js';
import type { AgentResult } from '../results.js';
import type { RunServices } from '../services.js';
import { digestOf } from './digest.js';
import type { RunningPlan } from './plan.js';
import { type Plan, SELF, setState, skipDependents, type Task, type TaskState } from './plan.js';

/**
 * Runs tasks side by side, each as an activation of the one agent pipeline. A takeover in the
 * middle finds those that ended on the journal and goes on with the others. A task that fails is
 * data: what depends on it is skipped, its siblings go on. Null: the batch is done and the plan
 * knows; a park leaves the plan as it was.
 */
export async function runBatch(
  services: RunServices,
  run: RunningPlan,
  tasks: readonly Task[],
): Promise<Parked | null> {
  const { plan, activate, draftKey } = run;
  const key = `${draftKey}/b${plan.batches}`;
  const branches = tasks.map(
    (task, index) => () =>
      activate(taskActivation(run, { task, key: `${key}/c${index}:${encodeURIComponent(task.agent)}` }), 'tolerant'),
  );
  const results = await joinBranches(branches, { isFailure: () => false, abort: services.abort });
  const waits = results.flatMap((result) => (result?.status === 'parked' ? result.waits : []));
  if (results.some((result) => result?.status === 'parked')) return { parked: mergeWaits(waits) };
  for (const [index, task] of tasks.entries()) {
    const state = await stateOf(services, run, { result: results[index] ?? null, key: `${key}/digest${index}` });
    setState(plan, task.id, state);
    if (state.status === 'completed' && task.agent !== SELF) run.results[task.agent] = state.output;
  }
  plan.batches += 1;
  skipDependents(plan);
  return null;
}

async function stateOf(
  services: RunServices,
  run: RunningPlan,
  of: { readonly result: AgentResult | null; readonly key: string },
): Promise<TaskState> {
  const { result, key } = of;
  switch (result?.status) {
    case 'ok':
      return {
        status: 'completed',
        output: result.output,
        digest: await digestOf(services, run, { key, output: result.output }),
      };
    case 'failed':
      return { status: 'failed', reason: `${result.reason}: ${result.message}` };
    case 'denied':
      return { status: 'failed', reason: `denied: ${result.reason}` };
    case 'parked':
    case undefined:
      throw new Error('a task without a result ends no batch');
  }
}

/**
 * A task of the coordinator itself is done by its own model with its own skills: it has nobody
 * below it, no gate and no schema.
 */
function taskActivation(run: RunningPlan, of: { readonly task: Task; readonly key: string }): Activation {
  const { activation, plan } = run;
  const { task, key } = of;
  const own = { ...activation.node, children: [], funnel: null, outputSchema: null };
  const node = task.agent === SELF ? own : activation.node.children.find(({ id }) => id === task.agent);
  if (node === undefined) throw new Error(`no child ${task.agent}`);
  return { key, parentKey: activation.key, node, task: textTask(taskText(plan, task)), history: NO_HISTORY };
}

/** The results that it depends on and the scope, as data, then the task. */
function taskText(plan: Plan, task: Task): string {
  const results: [string, Json][] = plan.tasks.flatMap(({ id, state }) =>
    task.dependsOn.includes(id) && state.status === 'completed' ? [[id, state.output] as [string, Json]] : [],
  );
  return taskOfPlan(task.instruction, {
    scope: plan.scope === null ? null : JSON.stringify(plan.scope),
    results: results.length === 0 ? null : JSON.stringify(Object.fromEntries(results)),
  });
}
