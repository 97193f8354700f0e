import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DIALECT, fitsEmpty, isPlainSchema } from '../../src/lib/plain-schema.js';

function ajv(): Ajv2020 {
  const made = new Ajv2020({
    strict: false,
    allErrors: true,
    addUsedSchema: false,
    logger: false,
    allowUnionTypes: true,
  });
  formats.default(made);
  return made;
}

const VALUE = fc.oneof(
  fc.constantFrom(
    'string',
    'object',
    'array',
    'null',
    DIALECT,
    `${DIALECT}#`,
    '^a+$',
    '[',
    '\\',
    'date',
    'no-such-format',
    '#/x',
    '#/$defs/a',
    '#/$defs/__proto__',
    '#/$defs/[',
    '',
  ),
  fc.array(fc.constantFrom('string', 'object', 'a', 'b'), { maxLength: 3 }),
  fc.integer({ min: -2, max: 3 }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom({ $id: 'urn:a' }, { $ref: '#/nowhere' }, { $anchor: '-' }),
);
const KEYWORD = fc.constantFrom(
  ...[
    'type',
    'required',
    'const',
    'format',
    'pattern',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'multipleOf',
    'minLength',
    'maxItems',
  ],
  ...[
    'uniqueItems',
    'minProperties',
    'title',
    'default',
    'examples',
    'deprecated',
    'readOnly',
    '$comment',
    'enum',
    'nullable',
    'id',
    '$id',
    '$ref',
  ],
  ...[
    '$anchor',
    '$schema',
    'unknown',
    'contentEncoding',
    'discriminator',
    'dependentRequired',
    'minContains',
    'x-from',
  ],
);
const { schema: SCHEMA } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.dictionary(KEYWORD, VALUE, { maxKeys: 3 }),
    fc
      .tuple(
        fc.dictionary(KEYWORD, VALUE, { maxKeys: 2 }),
        fc.dictionary(
          fc.constantFrom('items', 'additionalProperties', 'not', 'propertyNames', 'contains', 'if'),
          tie('schema'),
          { maxKeys: 2 },
        ),
        fc.dictionary(
          fc.constantFrom('properties', 'patternProperties', '$defs'),
          fc.dictionary(fc.constantFrom('a', '__proto__', '['), tie('schema')),
          {
            maxKeys: 1,
          },
        ),
        fc.dictionary(
          fc.constantFrom('anyOf', 'oneOf', 'allOf', 'prefixItems'),
          fc.array(tie('schema'), { maxLength: 2 }),
          { maxKeys: 1 },
        ),
      )
      .map((parts) => Object.assign({}, ...parts)),
  ),
}));

describe('a plain schema', () => {
  it('fits the meta-schema and compiles', () => {
    const judge = ajv();
    const counts = { plain: 0, other: 0 };
    fc.assert(
      fc.property(SCHEMA, (schema) => {
        if (typeof schema !== 'object' || schema === null) return;
        if (!isPlainSchema(schema)) {
          counts.other += 1;
          return;
        }
        counts.plain += 1;
        expect(judge.validateSchema(schema)).toBe(true);
        expect(() => judge.compile(schema)).not.toThrow();
      }),
      { seed: 3, numRuns: 6_000 },
    );
    expect(counts.plain).toBeGreaterThan(150);
    expect(counts.other).toBeGreaterThan(150);
  });

  it.each([
    [{ $ref: '#/nowhere' }],
    [{ enum: [] }],
    [{ nullable: true }],
    [{ id: 'x' }],
    [{ properties: { a: { items: { $ref: 'https://example.invalid/x' } } } }],
  ])('is not one that compiling refuses: %j', (schema) => {
    expect(() => ajv().compile(schema)).toThrow();
    expect(isPlainSchema(schema)).toBe(false);
  });

  it('may carry annotations', () => {
    expect(isPlainSchema({ 'x-from': '$.a', properties: { b: { 'x-equals': '/a', type: 'string' } } })).toBe(true);
    expect(isPlainSchema({ 'x-from': { $id: 'urn:a' } })).toBe(false);
    expect(isPlainSchema({ from: '$.a' })).toBe(false);
  });

  it('may refer to a name of its own', () => {
    const $defs = { call: { type: 'object', properties: { next: { $ref: '#/$defs/call' } } } };
    expect(isPlainSchema({ $defs, items: { $ref: '#/$defs/call' } })).toBe(true);
    expect(isPlainSchema({ items: { $defs, $ref: '#/$defs/call' } })).toBe(false);
    expect(isPlainSchema({ $defs: { 'a/b': {} }, $ref: '#/$defs/a~1b' })).toBe(false);
    expect(isPlainSchema({ $defs, $ref: '#/$defs/toString' })).toBe(false);
  });

  it('may name the dialect, at its root and no other', () => {
    expect(isPlainSchema({ $schema: DIALECT, type: 'object' })).toBe(true);
    expect(isPlainSchema({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' })).toBe(false);
    expect(isPlainSchema({ properties: { a: { $schema: DIALECT } } })).toBe(false);
  });

  it('is not too deep for the engine', () => {
    const deep = Array.from({ length: 40 }).reduce<object>((schema) => ({ items: schema }), {});

    expect(isPlainSchema({ items: { items: {} } })).toBe(true);
    expect(isPlainSchema(deep)).toBe(false);
  });
});

describe('a schema that an empty object is said to fit', () => {
  it('is one that the validator finds it to fit', () => {
    const judge = ajv();
    let sure = 0;
    fc.assert(
      fc.property(SCHEMA, (made) => {
        const schema = Object.assign({}, made);
        if (!fitsEmpty(schema)) return;
        sure += 1;
        expect(judge.validate(schema, {})).toBe(true);
      }),
      { numRuns: 2_000, seed: 1 },
    );
    expect(sure).toBeGreaterThan(50);
  });

  it('is the configuration of a plugin that needs none, and no other', () => {
    const properties = { a: { type: 'string' } };
    expect(fitsEmpty({ $schema: DIALECT, type: 'object', additionalProperties: false, properties })).toBe(true);
    expect(fitsEmpty({ type: 'object', properties, required: ['a'] })).toBe(false);
    expect(fitsEmpty({ type: 'object', minProperties: 1 })).toBe(false);
    expect(fitsEmpty({ type: 'array' })).toBe(false);
    expect(fitsEmpty({ anyOf: [{ type: 'string' }] })).toBe(false);
    expect(fitsEmpty({ type: 'object', properties: { a: { type: 'no such type' } } })).toBe(false);
  });
});
