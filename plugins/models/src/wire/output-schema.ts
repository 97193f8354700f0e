import { isObject, type Json, type JsonSchema, type ModelMessage, schemaInWords } from '@kit-run/kit/plugin';
import { isList, own } from '../shared/json.js';
import { propertiesOf, requiredOf, typesOf } from '../shared/schema.js';

/**
 * The schema as a server may have it: without the `x-` hints, which strict servers refuse as
 * unknown keywords.
 */
export function wireSchema(schema: JsonSchema): JsonSchema {
  return stripHints(schema, false);
}

/**
 * True when every object of the schema lists all its properties as required and closes itself: what
 * servers demand of a strict schema. Asking strictness of any other is refused with 400 (OpenAI
 * structured outputs, supported schemas).
 */
export function isStrictSchema(schema: Json): boolean {
  if (isList(schema)) return schema.every(isStrictSchema);
  if (!isObject(schema)) return true;
  if (typesOf(schema).includes('object')) {
    const required = new Set(requiredOf(schema));
    if (
      own(schema, 'additionalProperties') !== false ||
      !Object.keys(propertiesOf(schema)).every((key) => required.has(key))
    )
      return false;
  }
  return Object.values(schema).every(isStrictSchema);
}

/**
 * Asks for JSON in words, for a server that cannot be given a schema. The last system message
 * carries it, else a new one.
 */
export function withSchemaPrompt(messages: readonly ModelMessage[], schema: JsonSchema): readonly ModelMessage[] {
  const text = schemaInWords(JSON.stringify(wireSchema(schema)));
  const at = messages.findLastIndex((message) => message.role === 'system');
  const part = { type: 'text', text } as const;
  if (at === -1) return [{ role: 'system', parts: [part] }, ...messages];
  return messages.map((message, index) => (index === at ? { ...message, parts: [...message.parts, part] } : message));
}

/** `inNames` is true where keys are names of the user's properties, not keywords. */
function stripHints(schema: JsonSchema, inNames: boolean): JsonSchema {
  const kept = Object.entries(schema).filter(([key]) => inNames || !key.startsWith('x-'));
  return Object.fromEntries(kept.map(([key, value]) => [key, stripValue(key, value, inNames)]));
}

/** Keywords whose members are named by the author of a schema. */
export const NAME_MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords that hold values. */
export const LITERALS = new Set(['const', 'enum', 'default', 'examples']);

function stripValue(key: string, value: Json, inNames: boolean): Json {
  if (!inNames && LITERALS.has(key)) return value;
  if (isList(value)) return value.map((item) => (isObject(item) ? stripHints(item, false) : item));
  return isObject(value) ? stripHints(value, !inNames && NAME_MAPS.has(key)) : value;
}
