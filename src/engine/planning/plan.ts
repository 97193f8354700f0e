import type { AgentNode } from '../../domain/agent-node.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type { Planning } from '../../domain/planning.js';
import { type RunSnapshot, ruleSetOf } from '../../domain/snapshot.js';
import { skipped } from '../../prompts/plan.js';
import type { Activate, Activation } from '../activation-call.js';
import type { Scope } from './scope.js';

/** The coordinator itself as the agent of a task. */
export const SELF = 'self';

export interface Task {
  /** Chosen by the coordinator; unique in its plan. */
  readonly id: string;
  /** A child, or `self`. */
  readonly agent: string;
  readonly instruction: string;
  readonly dependsOn: readonly string[];
  readonly state: TaskState;
}

/**
 * A failure is a state of its own, never a result: what depends on it is skipped, and nobody reads
 * it as work.
 */
export type TaskState =
  | { readonly status: 'pending' }
  | { readonly status: 'completed'; readonly output: Json; readonly digest: Json }
  | { readonly status: 'failed' | 'skipped'; readonly reason: string };

/**
 * The plan of one draft of a coordinator. It is a fold of the journal: every replay builds it anew,
 * in program order, from the calls of the coordinator and the recorded results of the tasks.
 * Nothing of it is stored.
 */
export interface Plan {
  readonly planning: Planning;
  /** The run is one of before rule set 5: its coordinator is told what it always was. */
  readonly isOfBefore: boolean;
  /** A separate model writes the answer. */
  readonly hasSynthesizer: boolean;
  tasks: readonly Task[];
  scope: Scope | null;
  /** Batches carried out so far. */
  batches: number;
  /** Rounds of decisions so far; part of their keys. */
  rounds: number;
  /**
   * How often the decisions of a trigger have sent the coordinator back since they last let it go
   * on.
   */
  readonly attempts: Record<'checkpoint' | 'pre_synthesis', number>;
  /** The last checkpoint let nothing through: it is asked again before the next batch. */
  isHeld: boolean;
  /** The coordinator changed the plan or the scope since its tasks were last looked at. */
  isChanged: boolean;
  /**
   * With `two_phase`: the coordinator knows that the scope is there, and what may follow from it.
   */
  isTargeted: boolean;
  /** Every task has ended and the decisions let the answer be written. */
  isSettled: boolean;
  /** How often the coordinator was told that the scope is missing. */
  scopeReminders: number;
}

/**
 * Null for an agent that cannot plan: it has nobody to plan for, or its topology configures no
 * planning.
 */
export function newPlan(
  snapshot: Pick<RunSnapshot, 'planning' | 'synthesis' | 'ruleSet'>,
  node: AgentNode,
): Plan | null {
  const { planning, synthesis } = snapshot;
  if (planning === undefined || node.children.length === 0) return null;
  return {
    planning,
    isOfBefore: ruleSetOf(snapshot) < 5,
    hasSynthesizer: synthesis !== undefined,
    tasks: [],
    scope: null,
    batches: 0,
    rounds: 0,
    attempts: { checkpoint: 0, pre_synthesis: 0 },
    isHeld: false,
    isChanged: false,
    isTargeted: false,
    isSettled: false,
    scopeReminders: 0,
  };
}

export const isPending = ({ state }: Task): boolean => state.status === 'pending';

/** Pending tasks whose dependencies have all completed. */
export function runnableTasks({ tasks }: Plan): readonly Task[] {
  const completed = new Set(tasks.filter(({ state }) => state.status === 'completed').map(({ id }) => id));
  return tasks.filter((task) => isPending(task) && task.dependsOn.every((id) => completed.has(id)));
}

export function setState(plan: Plan, id: string, state: TaskState): void {
  plan.tasks = plan.tasks.map((task) => (task.id === id ? { ...task, state } : task));
}

/**
 * What depends on something that will never complete is skipped with the reason, and what depends
 * on that, too.
 */
export function skipDependents(plan: Plan): void {
  for (;;) {
    const byId = new Map(plan.tasks.map((task) => [task.id, task]));
    const lost = plan.tasks.flatMap((task) => {
      const cause = isPending(task)
        ? task.dependsOn.map((id) => byId.get(id)).find((one) => one !== undefined && hasEndedBadly(one))
        : undefined;
      return cause === undefined ? [] : [{ task, cause }];
    });
    if (lost.length === 0) return;
    for (const { task, cause } of lost)
      setState(plan, task.id, { status: 'skipped', reason: skipped.dependsOn(cause.id, reasonOf(cause)) });
  }
}

const hasEndedBadly = ({ state }: Task): boolean => state.status === 'failed' || state.status === 'skipped';

const reasonOf = ({ state }: Task): string =>
  state.status === 'failed' ? skipped.failed(state.reason) : skipped.wasSkipped;

/** Until there is a scope, two phases allow research alone. */
export const isResearchOnly = ({ planning, scope }: Plan): boolean => planning.twoPhase && scope === null;

export const needsScope = ({ planning, scope }: Plan): boolean =>
  (planning.scopeRequired || planning.twoPhase) && scope === null;

/** A task as the coordinator and those who decide see it. */
export const taskLine = (task: Task): JsonObject => {
  const { id, agent, dependsOn, state } = task;
  const line = { id, agent, depends_on: [...dependsOn], status: state.status };
  switch (state.status) {
    case 'pending':
      return line;
    case 'completed':
      return { ...line, result: state.digest };
    case 'failed':
    case 'skipped':
      return { ...line, reason: state.reason };
  }
};

/** A coordinator at work on its plan. */
export interface RunningPlan {
  readonly activation: Activation;
  readonly activate: Activate;
  /** `<activation>/d<n>`; batches hang below it as `b<n>`, decisions as `p<n>`. */
  readonly draftKey: string;
  readonly plan: Plan;
  /** Output of each child that answered, by id. */
  readonly results: Record<string, Json>;
}
