import { KitError } from '../../domain/errors.js';
import type { Json, JsonSchema } from '../../domain/json.js';
import { isDeeper, MAX_DEPTH } from '../../lib/is-deeper.js';
import { issueText } from '../../lib/json-pointer.js';
import { type LoadSchemas, loadJsonSchemas } from '../../lib/json-schema.js';

/**
 * What came of the check: the text that agents see (`checked` is false when there was no schema),
 * or every place that does not fit.
 */
export type CheckedInput =
  | { readonly ok: true; readonly text: string; readonly checked: boolean }
  | { readonly ok: false; readonly errors: readonly InputMisfit[] };

/** One place that does not fit; `rule` is the keyword of the schema, where one was asked. */
export interface InputMisfit {
  readonly pointer: string;
  readonly message: string;
  readonly rule?: string;
}

/**
 * What agents see of an input: text as it is, a structured value as compact JSON
 * (docs/design/execution.md#input).
 */
export const inputText = (input: Json): string => (typeof input === 'string' ? input : JSON.stringify(input));

/**
 * What no store and no reader could take, whatever the schema says; null = nothing. PostgreSQL
 * keeps no NUL in a text.
 */
function unkeepable(input: Json): string | null {
  if (typeof input === 'string') return input.includes('\u0000') ? 'the input holds a NUL character' : null;
  if (isDeeper(input)) return `the input is nested more than ${MAX_DEPTH} levels deep`;
  return holdsEndless(input) ? 'the input holds a number that is too large: it would be read as null' : null;
}

/** `1e999` is read as Infinity, which JSON cannot write. */
const holdsEndless = (value: Json): boolean =>
  typeof value === 'number'
    ? !Number.isFinite(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(holdsEndless);

const refused = (message: string): CheckedInput => ({ ok: false, errors: [{ pointer: '', message }] });

/**
 * Judges an input before a job exists, through whichever entry point it came. A string is taken as
 * it is when the schema admits strings; otherwise it is read as JSON first
 * (docs/design/execution.md#input).
 */
export async function checkInput(
  schema: JsonSchema | null,
  input: Json,
  load: LoadSchemas = loadJsonSchemas,
): Promise<CheckedInput> {
  const problem = unkeepable(input);
  if (problem !== null) return refused(problem);
  if (schema === null) return { ok: true, text: inputText(input), checked: false };
  const schemas = await load();
  const direct = await schemas.judge(schema, input);
  if (direct.length === 0) return { ok: true, text: inputText(input), checked: true };
  if (typeof input !== 'string') return { ok: false, errors: direct };
  const parsed = parse(input);
  if (parsed === undefined)
    return {
      ok: false,
      errors: admitsString(schema)
        ? direct
        : [{ pointer: '', message: 'the input is not JSON, and the schema asks for a structured value' }],
    };
  const tooDeep = unkeepable(parsed);
  if (tooDeep !== null && typeof parsed !== 'string') return refused(tooDeep);
  const errors = await schemas.judge(schema, parsed);
  return errors.length === 0 ? { ok: true, text: JSON.stringify(parsed), checked: true } : { ok: false, errors };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function admitsString(schema: JsonSchema): boolean {
  const type = schema.type;
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
}

/** The refusal of an input; every place that does not fit is in `data.errors`. */
export function inputRefused(topology: string, errors: Extract<CheckedInput, { ok: false }>['errors']): KitError {
  const list = errors.map(issueText).join('; ');
  return new KitError('KIT_INPUT_INVALID', `the input does not fit the input_schema of ${topology}: ${list}`, {
    data: {
      errors: errors.map(({ pointer, message, rule }) => ({
        pointer,
        message,
        ...(rule === 'pattern-timeout' ? { code: rule } : {}),
      })),
    },
  });
}
