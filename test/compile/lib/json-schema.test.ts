import { describe, expect, it } from 'vitest';
import { checkSchemaDocument, loadJsonSchemas, validateJson } from '../../../src/lib/json-schema.js';
import { ownMs } from '../../support/guards/processor-time.js';

const PERSON = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    age: { type: ['integer', 'null'], minimum: 0 },
    role: { enum: ['a', 'b'] },
    at: { type: 'string', format: 'date-time' },
  },
};

describe('validateJson', () => {
  it('finds nothing wrong with a value that fits', async () => {
    expect(await validateJson(PERSON, { name: 'x', age: null })).toEqual([]);
  });

  it('names every problem at once, with pointers and short sentences', async () => {
    const issues = await validateJson(PERSON, { age: -1, role: 'c', extra: 1, at: 'yesterday' });
    expect(issues).toContainEqual({ pointer: '', rule: 'required', message: '"name" is missing' });
    expect(issues).toContainEqual({
      pointer: '',
      rule: 'additionalProperties',
      message: '"extra" is not allowed here',
    });
    expect(issues).toContainEqual({ pointer: '/role', rule: 'enum', message: 'must be one of "a", "b"' });
    expect(issues).toContainEqual({ pointer: '/age', rule: 'minimum', message: 'must be >= 0' });
    expect(issues.some((issue) => issue.pointer === '/at' && issue.rule === 'format')).toBe(true);
  });

  it('uses 2020-12 keywords', async () => {
    const schema = { type: 'array', prefixItems: [{ type: 'string' }], items: false, $defs: { never: false } };
    expect(await validateJson(schema, ['a'])).toEqual([]);
    expect(await validateJson(schema, ['a', 1])).not.toEqual([]);
  });

  it('bounds the number of issues', async () => {
    const issues = await validateJson(
      { type: 'array', items: { type: 'string' } },
      Array.from({ length: 500 }, (_, index) => index),
    );
    expect(issues).toHaveLength(20);
  });
});

describe('JsonSchemas', () => {
  it('accepts two schemas with the same $id', async () => {
    const schemas = await loadJsonSchemas();
    expect(schemas.validate({ $id: 'urn:kit:same', type: 'string' }, 1)[0]?.rule).toBe('type');
    expect(schemas.validate({ $id: 'urn:kit:same', type: 'number' }, 1)).toEqual([]);
  });

  it('fails closed on a schema that cannot be used', async () => {
    const schemas = await loadJsonSchemas();
    expect(schemas.validate({ $ref: 'https://example.invalid/other.json' }, 1)[0]?.rule).toBe('schema');
    expect(schemas.validate({ type: 'nonsense' }, 1)[0]?.rule).toBe('schema');
    expect(schemas.validate({ $async: true, type: 'string' }, 'x')[0]?.rule).toBe('schema');
  });

  it('checks a schema object again at the cost of a map look-up', async () => {
    const schemas = await loadJsonSchemas();
    const schema = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`p${index}`, PERSON])),
    };
    const compileMs = ownMs(() => schemas.validate(schema, {}));
    const again = Array.from({ length: 10 }, () => ownMs(() => schemas.validate(schema, {})));
    expect(Math.min(...again)).toBeLessThan(compileMs / 5);
  });
});

describe('checkSchemaDocument', () => {
  it('accepts schemas, also boolean ones', async () => {
    expect(await checkSchemaDocument(PERSON)).toEqual([]);
    expect(await checkSchemaDocument(true)).toEqual([]);
    expect(
      await checkSchemaDocument({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string' }),
    ).toEqual([]);
  });

  it('points into a schema that is wrong', async () => {
    expect((await checkSchemaDocument({ properties: { a: { type: 'text' } } }))[0]?.pointer).toBe('/properties/a/type');
    expect((await checkSchemaDocument('string'))[0]?.rule).toBe('schema');
    expect((await checkSchemaDocument({ $schema: 'http://json-schema.org/draft-07/schema#' }))[0]?.pointer).toBe(
      '/$schema',
    );
    expect((await checkSchemaDocument({ $ref: '#/$defs/absent' }))[0]?.rule).toBe('schema');
  });
});
