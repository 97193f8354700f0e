import type { Json, JsonObject, JsonSchema } from '../domain/json.js';
import { extractJson } from '../lib/extract-json.js';
import { issueText } from '../lib/json-pointer.js';
import { NO_JSON } from '../prompts/turns.js';
import type { AnswerCheck } from './model-ask.js';
import type { NewEvent } from './new-event.js';
import type { ActivationValue } from './results.js';
import { equalsErrors } from './schema-equals.js';
import type { SchemaError } from './services/run-ports.js';
import type { RunServices } from './services.js';
import { failedEnd } from './step-ends.js';
import type { StepEnd } from './step-types.js';

/**
 * Judges the text of an answer against a schema: the outermost JSON value of the text, validated;
 * then `x-equals`, which holds chosen fields to what the children really reported (`results` by
 * child id; default: none did).
 */
export function answerCheck(
  services: RunServices,
  schema: JsonSchema,
  results: () => JsonObject = () => ({}),
): (text: string) => Promise<AnswerCheck> {
  return async (text) => {
    const found = extractJson(text);
    if (!found.found) return { valid: false, errors: [{ pointer: '', message: NO_JSON }] };
    // What JSON.parse gives is Json by construction.
    return checkValue(services, { schema, value: found.value as Json, results: results() });
  };
}

/** The same judgement for a value that is already structured. */
export async function checkValue(
  services: RunServices,
  { schema, value, results = {} }: { schema: JsonSchema; value: Json; results?: JsonObject },
): Promise<AnswerCheck> {
  const errors = [...(await services.validate(schema, value)), ...equalsErrors(schema, value, results)];
  return errors.length === 0 ? { valid: true, value } : { valid: false, errors };
}

/**
 * The same for what may be either: text is asked for one JSON value in it, like the answer of a
 * model; text itself fits where the schema says text.
 */
export async function checkOutput(services: RunServices, schema: JsonSchema, output: Json): Promise<AnswerCheck> {
  const check = await checkValue(services, { schema, value: output });
  return check.valid || typeof output !== 'string' ? check : answerCheck(services, schema)(output);
}

/**
 * Corrections of an answer that does not fit its schema, by a model and by a harness alike
 * (docs/design/execution.md#output-schema).
 */
export const MAX_CORRECTIONS = 2;

/** Whose answer was checked, and how many corrections were spent and may be. */
export interface CheckedAnswer {
  readonly agentId: string;
  readonly skillId: string | null;
  readonly attempt: number;
  readonly corrections: number;
}

/**
 * What the log tells of one checked answer, whoever gave it: an invalid one that is not corrected
 * any more is told twice.
 */
export function checkEvents(
  { agentId, skillId, attempt, corrections }: CheckedAnswer,
  check: AnswerCheck,
): readonly NewEvent[] {
  const base = { agentId, skillId };
  const validated: NewEvent = { ...base, type: 'output.validated', payload: { attempt, valid: check.valid } };
  if (check.valid || attempt < corrections) return [validated];
  const errors = check.errors.map(issueText);
  return [validated, { ...base, type: 'output.validation_failed', payload: { attempts: attempt + 1, errors } }];
}

/** The end of an agent whose last answer fits as little as those before it. */
export function outputInvalid(errors: readonly SchemaError[]): StepEnd<ActivationValue> {
  const data = { errors: errors.map(({ pointer, message }) => ({ pointer, message })) };
  return failedEnd(
    'output_invalid',
    `the answer does not fit the output schema after ${MAX_CORRECTIONS} corrections`,
    data,
  );
}
