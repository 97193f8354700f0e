import type { Json } from '../../domain/json.js';
import type { LinkedImplementation } from '../../domain/linked-skill.js';
import { issueText } from '../../lib/json-pointer.js';
import { correctionOf } from '../../prompts/turns.js';
import { textTask } from '../activation-call.js';
import { answerCheck, MAX_CORRECTIONS } from '../answer-check.js';
import { askPrompt } from '../context/ask-prompt.js';
import { withPart } from '../context/fitting.js';
import { textOf } from '../model-ends.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import type { StepEnd } from '../step-types.js';
import type { SkillCall } from './skill-call.js';

/**
 * A skill that is one prompt: the prompt as system text, the arguments as JSON, no tools, no
 * history. `outputs` is enforced with the same validate-and-correct as an agent's answer; what
 * still does not fit is an error result (docs/design/execution.md#prompt-skills).
 */
export async function runPrompt(
  services: RunServices,
  run: { readonly call: SkillCall; readonly prompt: Extract<LinkedImplementation, { type: 'llm_prompt' }> },
): Promise<StepEnd<{ output: Json }>> {
  const { call, prompt } = run;
  const { skill, activation } = call;
  const model = services.snapshot.models[`skill:${skill.id}`] ?? services.snapshot.models[activation.node.id];
  if (model === undefined) throw new Error(`snapshot holds no model for skill ${skill.id}`);
  const { outcome } = await askPrompt<{ output: Json }>(
    services,
    {
      activation,
      model,
      skillId: skill.id,
      choice: prompt.model,
      keyOf: (attempt) => `${call.key}/t${attempt}`,
      outputSchema: skill.outputs,
      check: skill.outputs === null ? null : answerCheck(services, skill.outputs),
      corrections: MAX_CORRECTIONS,
      opening: (of) => [
        { role: 'system', parts: textTask(prompt.prompt) },
        { role: 'user', parts: textTask(JSON.stringify(withPart(call.input, of))) },
      ],
    },
    ({ check, parts }, attempt) => {
      const output = textOf(parts);
      if (check === null && output.trim() === '')
        return { end: failedEnd('empty_answer', 'the model answered nothing') };
      if (check === null) return { end: { outcome: { status: 'ok', value: { output } } } };
      if (check.valid) return { end: { outcome: { status: 'ok', value: { output: check.value } } } };
      if (attempt < MAX_CORRECTIONS) return { wrong: correctionOf(check.errors) };
      const errors = check.errors.map(issueText);
      const message = `the answer does not fit the skill's outputs after ${MAX_CORRECTIONS} corrections`;
      return { end: failedEnd('output_invalid', message, { errors }) };
    },
  );
  return { outcome };
}
