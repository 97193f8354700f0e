import type { Json } from '../../domain/json.js';
import type { LinkedImplementation } from '../../domain/linked-skill.js';
import type { ModelMessage } from '../../domain/ports/model.js';
import { correctionOf } from '../../prompts/turns.js';
import { textTask } from '../activation-call.js';
import { answerCheck, MAX_CORRECTIONS } from '../answer-check.js';
import { askFitting, withPart } from '../context/fitting.js';
import { fallbackOf } from '../model-call.js';
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
  const choice = services.snapshot.models[`skill:${skill.id}`] ?? services.snapshot.models[activation.node.id];
  if (choice === undefined) throw new Error(`snapshot holds no model for skill ${skill.id}`);
  const opening = (of: number): readonly ModelMessage[] => [
    { role: 'system', parts: textTask(prompt.prompt) },
    { role: 'user', parts: textTask(JSON.stringify(withPart(call.input, of))) },
  ];
  const said: ModelMessage[] = [];
  let part = 1;
  for (let attempt = 0; ; attempt += 1) {
    const asked = {
      key: `${call.key}/t${attempt}`,
      agentId: activation.node.id,
      skillId: skill.id,
      purpose: 'skill',
      provider: choice.provider,
      model: choice.model,
      choice: prompt.model,
      ...fallbackOf(choice),
      tools: [],
      outputSchema: skill.outputs,
      check: skill.outputs === null ? null : answerCheck(services, skill.outputs),
      checkIsFinal: true,
      attempt,
      corrections: MAX_CORRECTIONS,
      activation: activation.key,
    } as const;
    const fitted = await askFitting(services, { call: asked, opening, said, part });
    const { outcome } = fitted;
    ({ part } = fitted);
    if (outcome.status === 'failed') return { outcome };
    const { check, parts } = outcome.value;
    const text = textOf(parts);
    if (check === null && text.trim() === '') return failedEnd('empty_answer', 'the model answered nothing');
    if (check === null) return { outcome: { status: 'ok', value: { output: text } } };
    if (check.valid) return { outcome: { status: 'ok', value: { output: check.value } } };
    const errors = check.errors.map((error) => `${error.pointer || '/'}: ${error.message}`);
    if (attempt >= MAX_CORRECTIONS)
      return failedEnd(
        'output_invalid',
        `the answer does not fit the skill's outputs after ${MAX_CORRECTIONS} corrections`,
        { errors },
      );
    said.push(
      { role: 'assistant', parts },
      {
        role: 'user',
        parts: textTask(correctionOf(check.errors)),
      },
    );
  }
}
