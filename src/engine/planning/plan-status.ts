import type { JsonObject } from '../../domain/json.js';
import { isPending, needsScope, type Plan, taskLine } from './plan.js';

/** Where a plan stands (docs/design/execution.md#plans). */
type Phase = 'scope_required' | 'in_progress' | 'research_complete' | 'synthesis';

function phaseOf(plan: Plan): Phase {
  if (plan.tasks.some(isPending)) return 'in_progress';
  if (needsScope(plan)) return 'scope_required';
  return plan.isSettled ? 'synthesis' : 'research_complete';
}

function actionsOf(phase: Phase): readonly string[] {
  switch (phase) {
    case 'in_progress':
      return [
        'read results or change the plan; the next tasks run when you change it, or when you answer with a short text',
      ];
    case 'scope_required':
      return ['call create-scope'];
    case 'research_complete':
      return [
        'add the tasks that are still missing with update-task-plan; if nothing is missing, answer with a short text',
      ];
    case 'synthesis':
      return ['write the final answer from the results; read those that you need whole'];
  }
}

/** What the coordinator is told after each step of its plan. */
export function planStatus(plan: Plan): JsonObject {
  const phase = phaseOf(plan);
  return { phase, required_actions: [...actionsOf(phase)], tasks: plan.tasks.map(taskLine) };
}

export const statusText = (plan: Plan): string => `Status of the plan, as JSON:\n${JSON.stringify(planStatus(plan))}`;
