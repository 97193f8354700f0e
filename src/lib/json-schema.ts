import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { GuardedRegExp, GuardedSchema } from './patterns/guarded-schemas.js';
import type { JudgePatterns } from './patterns/judge-value.js';
import { DIALECT, isPlainSchema } from './plain-schema.js';

/** One way in which a value does not fit its schema. */
export interface JsonIssue {
  /** RFC 6901 pointer into the value; '' = the whole value. */
  readonly pointer: string;
  /** JSON Schema keyword that failed. */
  readonly rule: string;
  /**
   * Short sentence without a full stop, for people and for a model that has to correct its answer.
   */
  readonly message: string;
}

/**
 * JSON Schema 2020-12 with an own cache of compiled schemas, keyed by schema object: keep one per
 * process or per run and pass it on. Formats are asserted. Nothing is ever fetched: a `$ref` that
 * leads outside is an issue.
 */
export interface JsonSchemas {
  /**
   * [] = the value fits. A schema that is broken itself gives issues whose pointer is '' and rule
   * `schema`.
   */
  validate(schema: object, value: unknown): readonly JsonIssue[];
  /**
   * As `validate`, for a value of a model, a tool or a client: no pattern of the schema holds up
   * the process. Where it was not known in time whether one fits, the issue's rule is
   * `pattern-timeout`; a check whose references multiply the work is broken off after a second
   * with the rule `schema-timeout`.
   */
  judge(schema: object, value: unknown): Promise<readonly JsonIssue[]>;
  /** Issues of the schema document against the meta-schema; pointers lead into the schema. */
  checkDocument(schema: unknown): readonly JsonIssue[];
}

const MAX_ISSUES = 20;

/** It fails closed: what is not known to fit does not fit. */
const PATTERN_TIMEOUT: JsonIssue = {
  pointer: '',
  rule: 'pattern-timeout',
  message: 'pattern-timeout: whether the value fits a pattern of the schema was not known in time',
};

/** As above: the check itself was broken off. */
const SCHEMA_TIMEOUT: JsonIssue = {
  pointer: '',
  rule: 'schema-timeout',
  message: 'schema-timeout: whether the value fits the schema was not known in time',
};

/** Gives the one validator of its owner; loads it when it is first asked for. */
export type LoadSchemas = () => Promise<JsonSchemas>;

/** Gives what answers for patterns outside of the linear engine; asked at most once. */
export type LoadJudge = () => Promise<JudgePatterns>;

/** Without a judge nobody waits for a pattern that may never come to an end. */
const noJudge: LoadJudge = async () => async () => 'late';

/** Its values are judged with care. */
const WITH_PATTERN = /"pattern(?:Properties)?":/u;

/** References multiply the work, and items are compared each with each. */
const WITH_GROWTH = /"(?:\$ref|\$dynamicRef|uniqueItems)":/u;

/** A validator for many checks, loaded with the first. */
export function lazyJsonSchemas(patterns?: LoadJudge): LoadSchemas {
  let loading: Promise<JsonSchemas> | undefined;
  return () => {
    loading ??= loadJsonSchemas(patterns);
    return loading;
  };
}

/**
 * Loads the validator (about 60 ms the first time in a process) and gives it a new cache.
 * `patterns` answers for those that are outside of the linear engine; without it each is late.
 */
export async function loadJsonSchemas(patterns: LoadJudge = noJudge): Promise<JsonSchemas> {
  const [{ Ajv2020, addFormats }, { knownValidators }] = await Promise.all([
    import('./ajv/parts.js'),
    import('./generated/known-validators.js'),
  ]);
  const rules = { strict: false, allErrors: true, allowUnionTypes: true } as const;
  const make = (regExp?: GuardedRegExp): Ajv2020 => {
    // A schema is judged by `compileOne`: the validator would compile the meta-schema, the longest
    // of all, for the plainest one.
    const quiet = { validateSchema: false, addUsedSchema: false, logger: false, verbose: false } as const;
    const ajv = new Ajv2020({ ...rules, ...quiet, ...(regExp === undefined ? {} : { code: { regExp } }) });
    addFormats(ajv);
    return ajv;
  };
  return createJsonSchemas(make, knownValidators, patterns);
}

/**
 * One check with a validator that nobody else uses; pass `schemas` wherever more than one value is
 * checked.
 */
export async function validateJson(
  schema: object,
  value: unknown,
  schemas?: JsonSchemas,
): Promise<readonly JsonIssue[]> {
  return (schemas ?? (await loadJsonSchemas())).judge(schema, value);
}

/** Whether a document is a JSON Schema 2020-12 that can be used without fetching anything. */
export async function checkSchemaDocument(schema: unknown, schemas?: JsonSchemas): Promise<readonly JsonIssue[]> {
  return (schemas ?? (await loadJsonSchemas())).checkDocument(schema);
}

/** Compiled at the build: text of the schema -> its validator. */
type KnownValidators = ReadonlyMap<string, ValidateFunction>;

function createJsonSchemas(
  make: (regExp?: GuardedRegExp) => Ajv2020,
  knownValidators: KnownValidators,
  patterns: LoadJudge,
): JsonSchemas {
  let made: Ajv2020 | undefined;
  // Schemas of the usual workspace are known, or plain.
  const ajv = (): Ajv2020 => (made ??= make());
  const guarded = new WeakMap<object, Promise<GuardedSchema>>();
  const compiled = new WeakMap<object, ValidateFunction | readonly JsonIssue[]>();
  const compile = (schema: object): ValidateFunction | readonly JsonIssue[] => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const check = knownValidators.get(JSON.stringify(schema)) ?? compileOne(ajv(), schema);
    compiled.set(schema, check);
    return check;
  };
  const validate = (schema: object, value: unknown): readonly JsonIssue[] => {
    const check = compile(schema);
    if (typeof check !== 'function') return check;
    return check(value) === true ? [] : issuesOf(check.errors ?? []);
  };
  let judging: Promise<JudgePatterns> | undefined;
  const guard = async (schema: object): Promise<GuardedSchema> => {
    judging ??= patterns();
    const [{ RE2JS }, { guardSchema }, { timedCheck }, judge] = await Promise.all([
      import('re2js'),
      import('./patterns/guarded-schemas.js'),
      import('./patterns/timed-check.js'),
      judging,
    ]);
    return guardSchema(RE2JS, judge, (regExp) => timedCheck(make(regExp).compile(schema)));
  };
  return {
    validate,
    judge: async (schema, value) => {
      const text = JSON.stringify(schema);
      if (!WITH_PATTERN.test(text) && !WITH_GROWTH.test(text)) return validate(schema, value);
      const check = compile(schema);
      if (typeof check !== 'function') return check;
      const { timedCheck, unlessLate } = await import('./patterns/timed-check.js');
      if (!WITH_PATTERN.test(text))
        return unlessLate(() => (timedCheck(check)(value) ? [] : issuesOf(check.errors ?? [])), [SCHEMA_TIMEOUT]);
      const made = guarded.get(schema) ?? guard(schema);
      guarded.set(schema, made);
      return unlessLate(async () => {
        const errors = await (await made).judge(value);
        return errors === 'late' ? [PATTERN_TIMEOUT] : issuesOf(errors ?? []);
      }, [SCHEMA_TIMEOUT]);
    },
    checkDocument: (schema) => {
      if (typeof schema === 'boolean') return [];
      if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
        return [brokenSchema('a JSON Schema is an object')];
      const foreign = foreignDialect(schema);
      if (foreign !== null) return [foreign];
      if (isPlainSchema(schema)) return [];
      if (ajv().validateSchema(schema) !== true) return issuesOf(ajv().errors ?? []);
      const check = compile(schema);
      return typeof check === 'function' ? [] : check;
    },
  };
}

function compileOne(ajv: Ajv2020, schema: object): ValidateFunction | readonly JsonIssue[] {
  const foreign = foreignDialect(schema);
  if (foreign !== null) return [foreign];
  try {
    if (!isPlainSchema(schema) && ajv.validateSchema(schema) !== true)
      return [brokenSchema(`schema is invalid: ${ajv.errorsText()}`)];
    return ajv.compile(schema);
  } catch (error) {
    return [brokenSchema(error instanceof Error ? error.message : String(error))];
  } finally {
    // Ajv's own cache holds schemas for ever; ours lets them go with the run that brought them.
    ajv.removeSchema(schema);
  }
}

function foreignDialect(schema: object): JsonIssue | null {
  if ('$async' in schema) return { pointer: '/$async', rule: 'schema', message: '$async is not part of JSON Schema' };
  const dialect: unknown = '$schema' in schema ? schema.$schema : undefined;
  if (dialect === undefined || (typeof dialect === 'string' && dialect.replace(/#$/, '') === DIALECT)) return null;
  return { pointer: '/$schema', rule: 'schema', message: `only JSON Schema 2020-12 is understood (${DIALECT})` };
}

const brokenSchema = (message: string): JsonIssue => ({
  pointer: '',
  rule: 'schema',
  message: `the schema cannot be used: ${message}`,
});

function issuesOf(errors: readonly ErrorObject[]): readonly JsonIssue[] {
  const seen = new Set<string>();
  const issues: JsonIssue[] = [];
  for (const error of errors) {
    const issue = { pointer: error.instancePath, rule: error.keyword, message: sentence(error) };
    const id = `${issue.pointer}\n${issue.message}`;
    if (seen.has(id) || error.keyword === 'if') continue;
    seen.add(id);
    if (issues.push(issue) === MAX_ISSUES) break;
  }
  return issues;
}

function sentence(error: ErrorObject): string {
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (error.keyword) {
    case 'required':
      return `"${params.missingProperty}" is missing`;
    case 'additionalProperties':
      return `"${params.additionalProperty}" is not allowed here`;
    case 'unevaluatedProperties':
      return `"${params.unevaluatedProperty}" is not allowed here`;
    case 'type':
      return `must be ${Array.isArray(params.type) ? params.type.join(' or ') : params.type}`;
    case 'enum':
      return `must be one of ${(Array.isArray(params.allowedValues) ? params.allowedValues : []).map((value) => JSON.stringify(value)).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'anyOf':
    case 'oneOf':
      return 'fits none of the allowed forms, or more than one';
    case 'false schema':
      return 'is not allowed here';
    default:
      return error.message ?? `breaks the rule "${error.keyword}"`;
  }
}
