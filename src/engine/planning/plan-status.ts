import type { JsonObject } from '../../domain/json.js';
import { planStands } from '../../prompts/plan.js';
import { isPending, needsScope, type Plan, taskLine } from './plan.js';
import { type Phase, planWords } from './plan-tools.js';

function phaseOf(plan: Plan): Phase {
  if (plan.tasks.some(isPending)) return 'in_progress';
  if (needsScope(plan)) return 'scope_required';
  return plan.isSettled ? 'synthesis' : 'research_complete';
}

/** What the coordinator is told after each step of its plan. */
export function planStatus(plan: Plan): JsonObject {
  const phase = phaseOf(plan);
  return { phase, required_actions: [planWords(plan).actionIn(phase)], tasks: plan.tasks.map(taskLine) };
}

export const statusText = (plan: Plan): string => planStands(JSON.stringify(planStatus(plan)));
