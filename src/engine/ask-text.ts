import type { ModelChoice } from '../domain/agent-node.js';
import type { ChosenModel } from '../domain/snapshot.js';
import { textTask } from './activation-call.js';
import type { ModelCall } from './model-ask.js';
import { callModel, fallbackOf } from './model-call.js';
import { textOf } from './model-ends.js';
import type { RunServices } from './services.js';

export interface TextQuestion extends Pick<ModelCall, 'key' | 'agentId' | 'purpose' | 'activation'> {
  readonly model: Pick<ChosenModel, 'provider' | 'model' | 'fallback'>;
  readonly choice: ModelChoice;
  readonly system: string;
  readonly user: string;
}

/** One question without tools or schema, in a step of its own; '' = it came to no text. */
export async function askText(services: RunServices, question: TextQuestion): Promise<string> {
  const { model, system, user, ...rest } = question;
  const outcome = await callModel(services, {
    ...rest,
    skillId: null,
    provider: model.provider,
    model: model.model,
    ...fallbackOf(model),
    messages: [
      { role: 'system', parts: textTask(system) },
      { role: 'user', parts: textTask(user) },
    ],
    tools: [],
    outputSchema: null,
    check: null,
    checkIsFinal: true,
    attempt: 0,
    corrections: 0,
  });
  return outcome.status === 'ok' ? textOf(outcome.value.parts).trim() : '';
}
