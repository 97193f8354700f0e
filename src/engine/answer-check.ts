import type { Json, JsonObject, JsonSchema } from '../domain/json.js';
import { extractJson } from '../lib/extract-json.js';
import type { AnswerCheck } from './model-call.js';
import { equalsErrors } from './schema-equals.js';
import type { RunServices } from './services.js';

/**
 * Judges the text of an answer against a schema: the outermost JSON value of the text, validated; then `x-equals`, which
 * holds chosen fields to what the children really reported (`results` by child id).
 */
export function answerCheck(services: RunServices, schema: JsonSchema, results: () => JsonObject): (text: string) => Promise<AnswerCheck> {
  return async (text) => {
    const found = extractJson(text);
    if (!found.found) return { valid: false, errors: [{ pointer: '', message: 'the answer holds no JSON value' }] };
    // What JSON.parse gives is Json by construction.
    return checkValue(services, { schema, value: found.value as Json, results: results() });
  };
}

/** The same judgement for a value that is already structured (a harness result). */
export async function checkValue(services: RunServices, answer: { schema: JsonSchema; value: Json; results: JsonObject }): Promise<AnswerCheck> {
  const errors = [...(await services.validate(answer.schema, answer.value)), ...equalsErrors(answer.schema, answer.value, answer.results)];
  return errors.length === 0 ? { valid: true, value: answer.value } : { valid: false, errors };
}
