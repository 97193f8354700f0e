import type { JsonObject } from '../../domain/json.js';
import { numberOf } from '../../domain/snapshot.js';
import { assertNever } from '../../lib/assert-never.js';
import { planStands } from '../../prompts/plan.js';
import { isParked, type Parked } from '../park.js';
import type { ActivationValue } from '../results.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import type { StepEnd } from '../step-types.js';
import { checkPlan } from './check-plan.js';
import type { RunningPlan } from './plan.js';
import { isPending, needsScope, type Plan, runnableTasks, skipDependents, taskLine } from './plan.js';
import { type Phase, planWords } from './plan-tools.js';
import { runBatch } from './run-batch.js';

function phaseOf(plan: Plan): Phase {
  if (plan.tasks.some(isPending)) return 'in_progress';
  if (needsScope(plan)) return 'scope_required';
  return plan.isSettled ? 'synthesis' : 'research_complete';
}

/** What the coordinator is told after each step of its plan. */
function planStatus(plan: Plan): JsonObject {
  const phase = phaseOf(plan);
  return { phase, required_actions: [planWords(plan).actionIn(phase)], tasks: plan.tasks.map(taskLine) };
}

const statusText = (plan: Plan): string => planStands(JSON.stringify(planStatus(plan)));

/** What follows from a turn of the coordinator. */
export type Next =
  /** The conversation goes on as it is: nothing is due. */
  | { readonly go: 'on' }
  | { readonly go: 'report'; readonly text: string }
  /** The synthesizer writes the answer. */
  | { readonly go: 'synthesise' }
  | { readonly go: 'end'; readonly end: StepEnd<ActivationValue> | Parked };

const ON: Next = { go: 'on' };

/**
 * Called when a coordinator has had its turn, by tool calls or by text. Runs one batch, asks the
 * decisions that are due, and tells the coordinator where its plan stands. Text is taken as "go on"
 * until the plan is settled; calls that only read change nothing.
 */
export async function planNext(services: RunServices, run: RunningPlan, cause: 'calls' | 'text'): Promise<Next> {
  const { plan } = run;
  const isChanged = plan.isChanged;
  plan.isChanged = false;
  if (plan.tasks.length === 0 || plan.isSettled || (cause === 'calls' && !isChanged)) return ON;
  skipDependents(plan);
  if (plan.tasks.some(isPending)) {
    if (plan.isHeld) {
      const held = await checkpoint(services, run);
      if (held !== null) return held;
    }
    const parked = await runBatch(services, run, runnableTasks(plan));
    if (parked !== null) return { go: 'end', end: parked };
    if (plan.tasks.some(isPending))
      return (await checkpoint(services, run)) ?? { go: 'report', text: statusText(plan) };
  }
  return settle(services, run);
}

/** Between two batches; null lets the next one run. */
async function checkpoint(services: RunServices, run: RunningPlan): Promise<Next | null> {
  const check = await checkPlan(services, run, 'checkpoint');
  run.plan.isHeld = !isParked(check) && check.kind === 'back';
  return nextOf(run.plan, check);
}

/** No task is left: the scope, the decisions before the synthesis, then the answer. */
async function settle(services: RunServices, run: RunningPlan): Promise<Next> {
  const { plan } = run;
  if (needsScope(plan)) {
    if (plan.scopeReminders > numberOf(services.snapshot, 'KIT_AGENT_RETRIES')) {
      return { go: 'end', end: failedEnd('scope_missing', 'the plan needs a scope, and the coordinator created none') };
    }
    plan.scopeReminders += 1;
    return { go: 'report', text: statusText(plan) };
  }
  if (plan.planning.twoPhase && !plan.isTargeted) {
    plan.isTargeted = true;
    return { go: 'report', text: statusText(plan) };
  }
  const held = nextOf(plan, await checkPlan(services, run, 'pre_synthesis'));
  if (held !== null) return held;
  plan.isSettled = true;
  if (!plan.hasSynthesizer) return { go: 'report', text: statusText(plan) };
  if (plan.tasks.some(({ state }) => state.status === 'completed')) return { go: 'synthesise' };
  const reasons = plan.tasks.flatMap(({ id, state }) =>
    'reason' in state ? [{ task: id, status: state.status, reason: state.reason }] : [],
  );
  return {
    go: 'end',
    end: failedEnd('plan_failed', 'no task of the plan has a result, so there is nothing to write an answer from', {
      tasks: reasons,
    }),
  };
}

function nextOf(plan: Plan, check: Awaited<ReturnType<typeof checkPlan>>): Next | null {
  if (isParked(check)) return { go: 'end', end: check };
  switch (check.kind) {
    case 'passed':
      return null;
    case 'back':
      return { go: 'report', text: `${statusText(plan)}\n\n${check.text}` };
    case 'failed':
      return { go: 'end', end: check.end };
    default:
      return assertNever(check);
  }
}
