import type { StepOutcome } from '../../domain/journal.js';
import type { Json } from '../../domain/json.js';
import type { ModelMessage } from '../../domain/ports/model.js';
import { type ChosenModel, ruleSetOf } from '../../domain/snapshot.js';
import { type Activation, textTask } from '../activation-call.js';
import type { ModelCall, ModelValue } from '../model-ask.js';
import { callModel, fallbackOf } from '../model-call.js';
import type { RunServices } from '../services.js';
import type { StepEnd } from '../step-types.js';

/** How often a question is put again, each time with half of what it had. */
const MOST_TRIES = 3;

/** A question outside of the conversation of an agent: no tools, no history. */
export interface PromptCall extends Pick<ModelCall, 'skillId' | 'choice' | 'outputSchema' | 'check' | 'corrections'> {
  /** Whose work it is part of. */
  readonly activation: Activation;
  readonly model: ChosenModel;
  /** Key of the question, 0, and of each correction of its answer, from 1. */
  readonly keyOf: (attempt: number) => string;
  /** The question where its texts may have this part of their characters; 1 = as they are. */
  readonly opening: (part: number) => readonly ModelMessage[];
}

/** An answer is the end, or the model is told what is wrong with it. */
export type ReadAnswer<T extends Json> = { readonly end: StepEnd<T> } | { readonly wrong: string };

/** `part`: what the texts of the question had when it was answered, or refused at last. */
export type PromptEnd<T extends Json> = StepEnd<T> & { readonly part: number };

/**
 * Asks until an answer is the end: of a prompt skill, of a judge, of an agent that another one has
 * a question for. `read` says `wrong` no more often than `corrections`. A question that its
 * provider refuses as too long loses the middle of its longest texts and is put again, as
 * `<key>/again`, `<key>/again2`, ... (docs/design/execution.md#context).
 */
export async function askPrompt<T extends Json>(
  services: RunServices,
  { activation, model, keyOf, opening, ...call }: PromptCall,
  read: (answer: ModelValue, attempt: number) => ReadAnswer<T>,
): Promise<PromptEnd<T>> {
  const said: ModelMessage[] = [];
  let part = 1;
  const ask = async (attempt: number): Promise<StepOutcome<ModelValue>> => {
    for (let tried = 0; ; tried += 1) {
      const outcome = await callModel(services, {
        ...call,
        key: `${keyOf(attempt)}${tried === 0 ? '' : `/again${tried === 1 ? '' : tried}`}`,
        agentId: activation.node.id,
        purpose: 'skill',
        provider: model.provider,
        model: model.model,
        ...fallbackOf(model),
        messages: [...opening(part), ...said],
        tools: [],
        checkIsFinal: true,
        attempt,
        activation: activation.key,
      });
      const isTooLong = outcome.status === 'failed' && outcome.reason === 'provider.context_overflow';
      if (!isTooLong || tried >= MOST_TRIES || ruleSetOf(services.snapshot) < 6) return outcome;
      part /= 2;
    }
  };
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await ask(attempt);
    if (outcome.status === 'failed') return { outcome, part };
    const answer = read(outcome.value, attempt);
    if ('end' in answer) return { ...answer.end, part };
    said.push({ role: 'assistant', parts: outcome.value.parts }, { role: 'user', parts: textTask(answer.wrong) });
  }
}
