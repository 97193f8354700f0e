const CODES: Readonly<Record<string, string>> = {
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
export const codeOfKeyword = (keyword: string): string => CODES[keyword] ?? 'schema.other';
