import { refuses, retriesOf, sendsBack } from '../../govern/bindings.js';
import { fenced } from '../../prompts/fenced.js';
import { planHeld } from '../../prompts/plan.js';
import { askBindings, bindingsOf, decisionFailed, findingsOf } from '../bindings/ask-bindings.js';
import { isParked, type Parked } from '../park.js';
import type { ActivationValue } from '../results.js';
import type { RunServices } from '../services.js';
import type { StepEnd } from '../step-types.js';
import { cutResult } from './edit-plan.js';
import type { RunningPlan } from './plan.js';
import { taskLine } from './plan.js';

export type Checked =
  | { readonly kind: 'passed' }
  /** The coordinator is told, has a turn, and is asked again. */
  | { readonly kind: 'back'; readonly text: string }
  | { readonly kind: 'failed'; readonly end: StepEnd<ActivationValue> };

/**
 * The decisions about a plan as a whole. What they find goes to the coordinator until its retries
 * are used up (docs/design/execution.md#verdicts).
 */
export async function checkPlan(
  services: RunServices,
  run: RunningPlan,
  trigger: 'checkpoint' | 'pre_synthesis',
): Promise<Checked | Parked> {
  const { plan, activation, draftKey } = run;
  const bindings = bindingsOf(services, trigger, activation.node.id);
  if (bindings.length === 0) return { kind: 'passed' };
  const base = `${draftKey}/p${plan.rounds}`;
  plan.rounds += 1;
  const found = await askBindings(services, bindings, {
    base,
    activation,
    trigger,
    content: contentOf(run, trigger),
    facts: {},
  });
  if (isParked(found)) return found;
  const back = found.filter(sendsBack);
  const isLast = plan.attempts[trigger] >= retriesOf(bindings);
  const refused = back.filter(refuses);
  if (back.length === 0 || (isLast && refused.length === 0)) {
    plan.attempts[trigger] = 0;
    return { kind: 'passed' };
  }
  if (isLast) return { kind: 'failed', end: decisionFailed(trigger, refused) };
  plan.attempts[trigger] += 1;
  return {
    kind: 'back',
    text: planHeld(fenced('findings', findingsOf(back))),
  };
}

/** Between batches the results in short; before the synthesis all that it will be written from. */
function contentOf({ plan }: RunningPlan, trigger: 'checkpoint' | 'pre_synthesis'): string {
  const tasks = plan.tasks.map((task) => ({
    ...taskLine(task),
    instruction: task.instruction,
    ...(trigger === 'pre_synthesis' && task.state.status === 'completed'
      ? { result: cutResult(task.state.output) }
      : {}),
  }));
  return JSON.stringify({ scope: plan.scope, tasks });
}
