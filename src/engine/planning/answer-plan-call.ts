import type { JsonObject } from '../../domain/json.js';
import { issueText } from '../../lib/json-pointer.js';
import type { RunServices } from '../services.js';
import { executedEvent } from '../skills/executed-event.js';
import type { CallAnswer, Dispatch, PlanCall } from '../tool-call.js';
import { type PlanAnswer, refused } from './edit-plan.js';
import { applyPlanTool, planToolSchema } from './plan-tools.js';

/**
 * One call of a plan tool: a step like any other call, with one `skill.executed`. Calls of one
 * response are answered one after another in call order, because the second works on what the first
 * has made.
 */
export async function answerPlanCall(services: RunServices, dispatch: Dispatch, call: PlanCall): Promise<CallAnswer> {
  const { node } = dispatch.activation;
  const { tool, input, plan, key, index } = call;
  const errors = await services.validate(planToolSchema(tool), input);
  const answer: PlanAnswer =
    errors.length > 0 ? refused(errors.map(issueText)) : applyPlanTool(plan, { node, name: tool, input });
  const shown = await services.redactCall(null, { inputs: input, outputs: answer.output });
  const status = answer.isError ? 'failed' : 'ok';
  const reason = answer.isError ? 'plan_refused' : null;
  const outcome = await services.steps.answer<{ readonly output: JsonObject }>(
    {
      key,
      kind: 'tool',
      identity: { plan: tool, input },
      effects: 'none',
      onInDoubt: 'repeat',
      agentId: node.id,
      units: 0,
    },
    () => ({
      outcome: { status: 'ok', value: { output: answer.output } },
      events: [
        executedEvent(
          { agentId: node.id, skillId: null, tool, effects: 'none' },
          { status, reason, durationMs: 0 },
          shown,
        ),
      ],
    }),
  );
  const output =
    outcome.status === 'ok'
      ? outcome.value.output
      : { status: 'failed', reason: outcome.reason, message: outcome.message };
  return { index, id: call.call.id, name: call.call.name, output, isError: answer.isError || outcome.status !== 'ok' };
}
