import { afterEach, describe, expect, test } from 'vitest';
import { flatSchema } from '../../../../plugins/models/src/wire/flat-schema.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { type ProviderServer, startProviderServer } from '../../../support/components/provider-servers/server.js';
import { callOptions, familyProvider, good, request } from '../helpers.js';
import { bundledConfig, contributionOf, FAMILIES, KEY, KEY_VARIABLE } from './family-cases.js';

let servers: ProviderServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

const text = { type: 'string' };
const one = (name: string, schema: JsonObject = text) => ({
  type: 'object',
  required: [name],
  properties: { [name]: schema },
});

const ODD: readonly { readonly name: string; readonly schema: JsonObject; readonly flat: JsonObject }[] = [
  {
    name: 'alternatives beside properties of all',
    schema: {
      type: 'object',
      description: 'Whom to find.',
      properties: { limit: { type: 'integer' } },
      required: ['limit'],
      anyOf: [one('id'), one('name')],
    },
    flat: {
      type: 'object',
      description: 'Whom to find. Give one of: id; name.',
      properties: { limit: { type: 'integer' }, id: text, name: text },
      required: ['limit'],
    },
  },
  {
    name: 'alternatives that say only what is required',
    schema: { type: 'object', properties: { a: text, b: text }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    flat: { type: 'object', properties: { a: text, b: text }, description: 'Give one of: a; b.' },
  },
  {
    name: 'alternatives of one property',
    schema: { oneOf: [one('at'), one('at', { type: 'integer' }), one('at', { type: 'boolean' })] },
    flat: {
      type: 'object',
      properties: { at: { anyOf: [text, { type: 'integer' }, { type: 'boolean' }] } },
      required: ['at'],
    },
  },
  {
    name: 'parts that hold together',
    schema: { allOf: [one('a'), { $ref: '#/$defs/b' }], $defs: { b: one('b') } },
    flat: { type: 'object', properties: { a: text, b: text }, required: ['a', 'b'], $defs: { b: one('b') } },
  },
  {
    name: 'alternatives within alternatives',
    schema: { anyOf: [{ oneOf: [one('a'), one('b')] }, { $ref: '#/$defs/c' }], $defs: { c: one('c') } },
    flat: {
      type: 'object',
      properties: { a: text, b: text, c: text },
      description: 'Give one of: a; b; c.',
      $defs: { c: one('c') },
    },
  },
  {
    name: 'a reference to itself',
    schema: { $ref: '#/$defs/t', $defs: { t: { anyOf: [{ $ref: '#/$defs/t' }, one('a')] } } },
    flat: expect.objectContaining({ type: 'object' }) as JsonObject,
  },
];

test.each(ODD)('$name are one object', ({ schema, flat }) => {
  expect(flatSchema(schema)).toEqual(flat);
});

test('any other schema stays as it is', () => {
  const plain = { type: 'object', properties: { at: { anyOf: [text, { type: 'null' }] } } };
  expect(flatSchema(plain)).toBe(plain);
});

describe.each(FAMILIES)('$id', ({ id, protocol, model }) => {
  test('takes a tool whose arguments are alternatives', async () => {
    const server = await startProviderServer(protocol);
    servers.push(server);
    const provider = await familyProvider(contributionOf(id), bundledConfig(id, server.url), {
      env: { [KEY_VARIABLE]: KEY },
    });
    const tools = ODD.map(({ schema }, index) => ({ name: `odd_${index}`, description: 'Odd.', inputSchema: schema }));

    good(await provider.generate(request({ model, tools }), callOptions()));

    expect(server.problems).toEqual([]);
  });
});
