import type { Json } from '../../domain/json.js';
import { extractJson } from '../../lib/extract-json.js';
import { issueText } from '../../lib/json-pointer.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import type { StepEnd } from '../step-types.js';
import type { SkillCall } from './skill-call.js';

/**
 * `outputs` of a skill, whatever carries it out: a result that does not fit is a failed call, which
 * no agent reads as a result. Text that holds the value as JSON is read as that value, unless the
 * schema takes text.
 */
export async function fitOutputs(
  services: RunServices,
  { skill }: SkillCall,
  end: StepEnd<{ output: Json }>,
): Promise<StepEnd<{ output: Json }>> {
  // A prompt is held to its schema where it can still be corrected.
  if (skill.outputs === null || skill.implementation.type === 'llm_prompt' || end.outcome.status !== 'ok') return end;
  const said = end.outcome.value.output;
  const errors = await services.validate(skill.outputs, said);
  if (errors.length === 0) return end;
  const found = typeof said === 'string' ? extractJson(said) : { found: false as const };
  // What JSON.parse gives is Json by construction.
  if (found.found && (await services.validate(skill.outputs, found.value as Json)).length === 0)
    return { ...end, outcome: { status: 'ok', value: { output: found.value as Json } } };
  const places = errors.map(issueText);
  return {
    ...end,
    ...failedEnd('output_invalid', `the result does not fit the outputs of ${skill.id}`, { errors: places }),
  };
}
