import type { ValidateFunction } from 'ajv';
import type { Diagnostic, Span } from '../../domain/diagnostic.js';
import type { Json } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';
import { atPointer } from '../../lib/json-pointer.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { validators } from '../generated/validators.js';
import type { TypedPlace } from '../interpolate/typed-references.js';
import type { ParsedSource } from '../parse/parsed-source.js';
import { withoutCascades } from './cascades.js';

import type { Issue } from './issue.js';
import { misplacedHelp, misplacedIn } from './misplaced-field.js';
import { onlyAnswer } from './only-answer.js';
import { PATTERN_WORDS } from './pattern-words.js';
import { removedFieldHelp } from './removed-fields.js';
import type { SchemaKind } from './schema-kind.js';
import { type Sentence, sentenceOf } from './sentences.js';

const KEYWORD_CODES: Readonly<Record<string, string>> = {
  required: 'schema.required-field',
  additionalProperties: 'schema.unknown-field',
  type: 'schema.type-mismatch',
  pattern: 'schema.pattern-mismatch',
  enum: 'schema.enum-mismatch',
  const: 'schema.const-mismatch',
  minLength: 'schema.length',
  maxLength: 'schema.length',
  minimum: 'schema.range',
  maximum: 'schema.range',
  minItems: 'schema.array-size',
  maxItems: 'schema.array-size',
  minProperties: 'schema.object-size',
  maxProperties: 'schema.object-size',
  oneOf: 'schema.variant-mismatch',
  anyOf: 'schema.variant-mismatch',
  discriminator: 'schema.variant-mismatch',
  allOf: 'schema.conditional',
  format: 'schema.format',
};

/** Diagnostic code of a failed JSON Schema keyword. */
const codeOfKeyword = (keyword: string): string => KEYWORD_CODES[keyword] ?? 'schema.other';

interface Judged {
  readonly issue: Issue;
  readonly sentence: Sentence;
}

/**
 * A missing field has no place: the key of its mapping stands for it, or the mapping's first key.
 */
function spanOfMissing(parsed: ParsedSource, pointer: string): Span {
  const lastPart = pointer.slice(pointer.lastIndexOf('/') + 1);
  if (pointer !== '' && !/^\d+$/.test(lastPart)) return parsed.keySpanOf(pointer);
  const mapping = atPointer(parsed.value, pointer);
  const first = isObject(mapping) ? Object.keys(mapping)[0] : undefined;
  return first === undefined ? parsed.spanOf(pointer) : parsed.keySpanOf(pointerTo(pointer, first));
}

/**
 * Issues about a field inside a mapping point at the field; a missing field keeps the mapping's
 * pointer (docs/design/workspace.md#diagnostics).
 */
function placeOf({ issue, sentence }: Judged, parsed: ParsedSource): { readonly pointer: string; readonly span: Span } {
  const at = issue.instancePath;
  const [, second] = sentence.conflict ?? [];
  if (second !== undefined) return { pointer: at, span: parsed.keySpanOf(pointerTo(at, second)) };
  switch (issue.keyword) {
    case 'required':
    case 'not':
    case 'oneOf':
    case 'anyOf':
      return {
        pointer: at,
        span: typeof issue.data === 'object' && issue.data !== null ? spanOfMissing(parsed, at) : parsed.spanOf(at),
      };
    case 'additionalProperties':
    case 'propertyNames': {
      const pointer = pointerTo(at, sentence.child ?? '');
      return { pointer: issue.keyword === 'propertyNames' ? pointer : at, span: parsed.keySpanOf(pointer) };
    }
    case 'discriminator': {
      const pointer = pointerTo(at, sentence.child ?? '');
      return { pointer, span: parsed.spanOf(pointer) };
    }
    case 'minItems':
    case 'minProperties':
      return { pointer: at, span: parsed.keySpanOf(at) };
    default:
      return { pointer: at, span: parsed.spanOf(at) };
  }
}

/**
 * What the author wrote there: an interpolated value may be a secret and is never repeated, its
 * `${NAME}` is.
 */
const writtenAt = (parsed: ParsedSource, issue: Issue): unknown => {
  const pointer =
    issue.keyword === 'discriminator' ? pointerTo(issue.instancePath, String(issue.params.tag)) : issue.instancePath;
  return atPointer(parsed.value, pointer) ?? null;
};

/** The characters of the value, as they stand in the file. */
function textAt({ source, spanOf }: ParsedSource, { instancePath }: Issue): string {
  const { start, end } = spanOf(instancePath);
  return source.text.slice(start, end);
}

const SECRET_NAME = /key|token|secret|password|credential/i;

/** Whether the line holds what may be a literal secret, written where a reference belongs. */
function hiddenPart({ issue, sentence }: Judged): Diagnostic['hides'] {
  if (issue.keyword === 'pattern')
    return PATTERN_WORDS[String(issue.params.pattern)]?.hidesValue === true ? 'place' : undefined;
  if (issue.keyword !== 'additionalProperties') return undefined;
  return issue.instancePath.startsWith('/credentials/') || SECRET_NAME.test(sentence.child ?? '') ? 'rest' : undefined;
}

/** Where an unknown field belongs, or a field of a mapping that fits no form of its place. */
function elsewhereHelp(kind: SchemaKind, { issue, sentence }: Judged, parsed: ParsedSource): string | undefined {
  if (issue.keyword === 'oneOf' || issue.keyword === 'anyOf')
    return sentence.help === undefined ? misplacedIn(kind, parsed.value, issue.instancePath) : undefined;
  if (issue.keyword !== 'additionalProperties') return undefined;
  const [pointer, field] = [issue.instancePath, sentence.child ?? ''];
  return removedFieldHelp(kind, pointer, field) ?? misplacedHelp(kind, parsed.value, { pointer, field });
}

function toDiagnostic(kind: SchemaKind, judged: Judged, parsed: ParsedSource): Diagnostic {
  const { issue, sentence } = judged;
  const { pointer, span } = placeOf(judged, parsed);
  const elsewhere = elsewhereHelp(kind, judged, parsed);
  const help = elsewhere ?? sentence.help;
  const first = sentence.conflict?.[0];
  const related =
    first === undefined
      ? []
      : [{ span: parsed.keySpanOf(pointerTo(issue.instancePath, first)), message: 'the other one' }];
  const hides = hiddenPart(judged);
  const fix = elsewhere === undefined ? onlyAnswer(issue, writtenAt(parsed, issue), textAt(parsed, issue)) : null;
  return {
    code: codeOfKeyword(issue.keyword),
    severity: 'error',
    message: sentence.message,
    path: parsed.source.path,
    pointer,
    span,
    rule: issue.keyword,
    ...(sentence.label === undefined ? {} : { label: sentence.label }),
    ...(help === undefined ? {} : { help }),
    ...(fix === null ? {} : { fix }),
    ...(related.length === 0 ? {} : { related }),
    ...(hides === undefined ? {} : { hides }),
  };
}

/** A misspelt required field is one mistake, not an unknown field and a missing one. */
function isExplainedBySpelling({ issue, sentence }: Judged, all: readonly Judged[]): boolean {
  if (issue.keyword !== 'required') return false;
  return all.some(
    (other) => other.sentence.meant === sentence.child && other.issue.instancePath === issue.instancePath,
  );
}

/**
 * Where a document holds a text and its schema wants something else: what a reference there stands
 * for may be that (docs/design/workspace.md#interpolation).
 */
export function textsOfOtherTypes(kind: SchemaKind, value: Json): readonly TypedPlace[] {
  const validate = validatorOf(kind);
  if (validate(value)) return [];
  return (validate.errors ?? []).flatMap(({ keyword, data, instancePath, params }) =>
    keyword === 'type' && typeof data === 'string'
      ? [{ pointer: instancePath, types: String(params.type).split(',') }]
      : [],
  );
}

function validatorOf(kind: SchemaKind): ValidateFunction {
  const validate = validators[kind];
  if (validate === undefined) throw new Error(`no schema is called ${kind}`);
  return validate;
}

/**
 * Judges one document by the schema of its kind. `value` is what is judged (interpolated), `parsed`
 * what the author wrote and where. One diagnostic for one mistake, in the order of the text. [] =
 * the document fits.
 */
export function checkSchema(kind: SchemaKind, value: Json, parsed: ParsedSource): readonly Diagnostic[] {
  const validate = validatorOf(kind);
  if (validate(value)) return [];
  const issues = withoutCascades(validate.errors ?? []);
  const judged = issues.map((issue): Judged => ({ issue, sentence: sentenceOf(issue, writtenAt(parsed, issue)) }));
  const diagnostics = judged
    .filter((one) => !isExplainedBySpelling(one, judged))
    .map((one) => toDiagnostic(kind, one, parsed));
  const unique = new Map(
    diagnostics.map((diagnostic) => [`${diagnostic.pointer}\n${diagnostic.code}\n${diagnostic.message}`, diagnostic]),
  );
  return [...unique.values()].sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
}
