/**
 * Every diagnostic code and, in one line, what it says. Each has a page docs/diagnostics/<code>.md (what, example, fix); a test
 * checks both directions, and that the source uses no other code. A removed code is never reused.
 */
export const DIAGNOSTIC_CODES = {
  'schema.array-size': 'a list has too few or too many entries',
  'schema.conditional': 'a combination of fields breaks a rule',
  'schema.const-mismatch': 'a field must have one fixed value',
  'schema.enum-mismatch': 'a value is none of the allowed words',
  'schema.format': 'a text has the wrong format',
  'schema.length': 'a text is too short or too long',
  'schema.object-size': 'a mapping has too few or too many entries',
  'schema.other': 'fields exclude each other, or a key is not legal',
  'schema.pattern-mismatch': 'a text does not follow its pattern',
  'schema.range': 'a number is too small or too large',
  'schema.required-field': 'a required field is missing',
  'schema.type-mismatch': 'a value has the wrong type',
  'schema.unknown-field': 'a field is not known',
  'schema.variant-mismatch': 'a value fits none of the allowed forms',
  'workspace.malformed': 'a file is no mapping, or empty',
  'workspace.yaml-parse': 'a file cannot be read as YAML or JSON',
} as const satisfies Readonly<Record<string, string>>;

export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;

/** True for a code that this version can report. */
export const isDiagnosticCode = (code: string): code is DiagnosticCode => Object.hasOwn(DIAGNOSTIC_CODES, code);
