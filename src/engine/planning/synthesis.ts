import { SYNTHESIS_MODEL } from '../../domain/planning.js';
import type { ModelMessage } from '../../domain/ports/model.js';
import { material, synthesizer } from '../../prompts/synthesis.js';
import { textTask } from '../activation-call.js';
import type { Speaker } from '../drafts.js';
import { requestText } from '../history.js';
import { outputText } from '../results.js';
import type { RunServices } from '../services.js';
import type { RunningPlan } from './plan.js';

/**
 * Who writes: its calls are traced and limited under the name of the synthesizer, on the model that
 * `synthesis` names.
 */
export function synthesizerOf(services: RunServices, { plan, activation }: RunningPlan): Speaker {
  const model = services.snapshot.models[SYNTHESIS_MODEL];
  if (model === undefined) throw new Error('snapshot holds no model for the synthesis');
  const { node } = activation;
  // Another model may know no such settings.
  const { effort: _effort, strict: _strict, firstCall: _call, ...own } = node.model;
  const choice = { ...own, temperature: null, maxTokens: null, options: {} };
  return { agentId: plan.planning.synthesizerRole, model, choice };
}

/**
 * The request, the scope and every result, whole; what failed is named, so that nobody takes its
 * absence for an answer.
 */
export function synthesisMessages(services: RunServices, { plan, activation }: RunningPlan): readonly ModelMessage[] {
  const text = material({
    request: requestText(services.snapshot, activation),
    scope: plan.scope === null ? null : JSON.stringify(plan.scope),
    tasks: plan.tasks.map(({ id, agent, instruction, state }) => ({
      ...{ id, agent, instruction },
      end:
        state.status === 'completed'
          ? { result: outputText(state.output) }
          : { reason: 'reason' in state ? state.reason : state.status },
    })),
  });
  return [
    { role: 'system', parts: textTask(synthesizer(services.snapshot.synthesis?.prompt ?? null)) },
    { role: 'user', parts: textTask(text) },
  ];
}
