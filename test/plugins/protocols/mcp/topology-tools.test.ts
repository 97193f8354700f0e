import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { asPart } from '../../../../plugins/protocols/src/mcp/tools/rebase-refs.js';
import { ONE_WORKSPACE, topologyTool } from '../../../../plugins/protocols/src/mcp/tools/topology-tools.js';
import type { OfferedTopology } from '../../../../src/app/info/info-app.js';

const offered = (over: Partial<OfferedTopology> = {}): OfferedTopology => ({
  name: 'hello',
  version: '1.0.0',
  description: null,
  inputSchema: null,
  outputSchema: null,
  effects: 'unknown',
  ...over,
});
const toolOf = (over: Partial<OfferedTopology> = {}) => topologyTool(offered(over), '/workspace', ONE_WORKSPACE);
/** Clients of both libraries compile schemas so: one knows an older dialect. */
const fits = (schema: unknown, value: unknown): readonly boolean[] =>
  [new Ajv({ strict: false }), new Ajv2020({ strict: false })].map((ajv) => ajv.validate(schema as object, value));

describe('a schema that becomes a part of another', () => {
  it('keeps leading where its references led', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://kit.example/tree',
      $defs: { leaf: { type: 'integer' }, $ref: { type: 'boolean' } },
      type: 'object',
      properties: {
        $ref: { $ref: '#/$defs/$ref' },
        leaf: { $ref: '#/$defs/leaf' },
        below: { type: 'array', items: { $ref: '#' } },
        word: { const: { $ref: '#/$defs/leaf' } },
      },
    };
    const whole = { type: 'object', properties: { output: asPart(schema, '/properties/output') } };

    expect(fits(whole, { output: { leaf: 1, below: [{ leaf: 2, $ref: true }] } })).toEqual([true, true]);
    expect(fits(whole, { output: { below: [{ leaf: 'two' }] } })).toEqual([false, false]);
    expect(fits(whole, { output: { $ref: 1 } })).toEqual([false, false]);
    expect(fits(whole, { output: { word: { $ref: '#/$defs/leaf' } } })).toEqual([true, true]);
  });

  it('leaves addresses of elsewhere, names, and parts with an address of their own', () => {
    const own = { $id: 'https://kit.example/own', items: { $ref: '#/x' } };
    const schema = { anyOf: [{ $ref: 'https://kit.example/other#/x' }, { $ref: '#name' }, own] };

    expect(asPart(schema, '/properties/input')).toEqual(schema);
  });
});

describe('the tool of a topology', () => {
  it('promises the envelope and never the answer alone', () => {
    const { definition } = toolOf({ outputSchema: { type: 'object', required: ['n'] } });

    expect(fits(definition.outputSchema, { job_id: 'a', status: 'deferred', gate_url: 'http://k/g' })).toEqual([
      true,
      true,
    ]);
    expect(fits(definition.outputSchema, { job_id: 'a', status: 'completed', output: {} })).toEqual([false, false]);
    expect(fits(definition.outputSchema, { status: 'completed' })).toEqual([false, false]);
  });

  it.each([
    ['none', { readOnlyHint: true }],
    ['read', { readOnlyHint: true }],
    ['write', { readOnlyHint: false, destructiveHint: false }],
    ['destructive', undefined],
    ['unknown', undefined],
  ] as const)('says of effects %s what they prove', (effects, annotations) => {
    expect(toolOf({ effects }).definition.annotations).toEqual(annotations);
  });

  it('takes images beside an input, unless attachments are a part of it', () => {
    const { definition, takesAttachments } = toolOf({
      inputSchema: { type: 'object', additionalProperties: false, properties: { n: { type: 'integer' } } },
    });
    const own = toolOf({ inputSchema: { type: 'object', properties: { attachments: { type: 'string' } } } });

    expect(takesAttachments).toBe(true);
    expect(fits(definition.inputSchema, { n: 1, attachments: [{ data: 'aGk=' }] })).toEqual([true, true]);
    expect(fits(definition.inputSchema, { n: 1, attachments: [{ path: 'a.png' }] })).toEqual([false, false]);
    expect(own.takesAttachments).toBe(false);
    expect(fits(own.definition.inputSchema, { attachments: 'a text' })).toEqual([true, true]);
  });

  it('is described by its author, or by what it does', () => {
    expect(toolOf({ description: 'Greets.' }).definition.description).toBe('Greets.');
    expect(toolOf().definition.description).toBe('Runs the topology hello.');
  });
});
