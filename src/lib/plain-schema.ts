import { isObject } from './json.js';

/** The one dialect that is understood. */
export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

type Check = (value: unknown) => boolean;

const TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isAnything: Check = () => true;
/** An annotation; the validator looks for `$id` and `$anchor` inside of one that is an object. */
const isScalar: Check = (value) => value === null || typeof value !== 'object';
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check) && new Set(value).size === value.length;
const isFilled: Check = (value) => Array.isArray(value) && value.length > 0;

/** The meta-schema takes any text for a pattern; compiling does not. */
const isPattern: Check = (value) => {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

const VALUES = new Map<string, Check>([
  ['type', (value) => TYPES.has(value) || (isFilled(value) && isListOf((one) => TYPES.has(one))(value))],
  ['required', isListOf(isText)],
  ['enum', isFilled],
  ['pattern', isPattern],
  ['multipleOf', (value) => isNumber(value) && Number(value) > 0],
  ['examples', Array.isArray],
  ...['const', 'default'].map((keyword) => [keyword, isAnything] as const),
  ...['format', 'title', 'description', '$comment'].map((keyword) => [keyword, isText] as const),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((keyword) => [keyword, isNumber] as const),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (keyword) => [keyword, isCount] as const,
  ),
  ...['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'].map((keyword) => [keyword, isFlag] as const),
]);
const ONE_SCHEMA = new Set(['items', 'additionalProperties', 'not', 'propertyNames']);
const SCHEMAS = new Set(['anyOf', 'oneOf', 'allOf']);
const NAMED_SCHEMAS = new Set(['properties', '$defs']);
/** A name that stands in a reference as it is. */
const DEF_NAME = /^[A-Za-z0-9_-]+$/;

/** Far above what people write, far below where generated code gets too deep for the engine. */
const MAX_DEPTH = 24;

/** Where a schema stands: how deep, and the names below `$defs` of its document. */
interface Place {
  readonly depth: number;
  readonly defs: ReadonlySet<string>;
}

const DEFS = '#/$defs/';

/** A reference to a name of the document itself that needs no unescaping, and is there. */
const isKnownRef = (value: unknown, { defs }: Place): boolean =>
  typeof value === 'string' && value.startsWith(DEFS) && defs.has(value.slice(DEFS.length));

function isPlainAt(keyword: string, value: unknown, place: Place): boolean {
  const check = VALUES.get(keyword);
  if (check !== undefined) return check(value);
  const below = { ...place, depth: place.depth + 1 };
  if (keyword === '$ref') return isKnownRef(value, place);
  if (ONE_SCHEMA.has(keyword)) return isPlain(value, below);
  if (SCHEMAS.has(keyword))
    return Array.isArray(value) && value.length > 0 && value.every((schema) => isPlain(schema, below));
  if (keyword.startsWith('x-')) return isScalar(value);
  return (
    NAMED_SCHEMAS.has(keyword) && isObject(value) && Object.values(value).every((schema) => isPlain(schema, below))
  );
}

function isPlain(schema: unknown, place: Place): boolean {
  if (typeof schema === 'boolean') return true;
  return (
    isObject(schema) &&
    place.depth <= MAX_DEPTH &&
    Object.entries(schema).every(([keyword, value]) => isPlainAt(keyword, value, place))
  );
}

/**
 * Whether a document is sure to be a JSON Schema 2020-12 that compiles: it refers to nothing but
 * its own `$defs` and uses only plain keywords with values of the right kind. Asking the validator
 * for that took a fourth of the time of validating a workspace of a thousand artifacts, and most of
 * that of a start. False means no more than that the validator has to judge, and to say what is
 * wrong.
 */
export function isPlainSchema(schema: object): boolean {
  const { $schema = DIALECT, ...body }: { readonly $schema?: unknown } = schema;
  const { $defs = {} }: { readonly $defs?: unknown } = body;
  const defs = new Set(isObject($defs) ? Object.keys($defs).filter((name) => DEF_NAME.test(name)) : []);
  return $schema === DIALECT && isPlain(body, { depth: 0, defs });
}

/** Keywords that say nothing about an object without members. */
const OF_MEMBERS = new Set([
  ...['$schema', '$defs', '$comment', 'title', 'description', 'examples', 'default'],
  ...['properties', 'additionalProperties', 'propertyNames', 'maxProperties'],
]);

/**
 * Whether `{}` is sure to fit the schema, without a validator: most plugins are used without any
 * configuration. False means no more than that the validator has to judge.
 */
export const fitsEmpty = (schema: object): boolean =>
  Object.entries(schema).every(
    ([keyword, value]) => OF_MEMBERS.has(keyword) || (keyword === 'type' && value === 'object'),
  ) && isPlainSchema(schema);
