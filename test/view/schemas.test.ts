import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Json } from '../../src/domain/json.js';
import * as wire from '../../src/sdk/wire.js';

const { among, arrayOf, BOOLEAN, closed, INTEGER, nullable, oneOf, recordOf, STRING } = wire;
const ajv = () => new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });

/** What the export describes answers with. */
const SCHEMAS = Object.entries(wire).filter(([, value]) => typeof value === 'object' && !Array.isArray(value)) as [
  string,
  wire.Schema,
][];

/** Where a schema lets members through that nobody lists. */
function openPlaces(schema: unknown, at: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inside = Object.entries(schema).flatMap(([key, part]) => openPlaces(part, `${at}.${key}`));
  return 'additionalProperties' in schema && schema.additionalProperties === true ? [at, ...inside] : inside;
}

describe('a schema of the wire', () => {
  it('lists every member, but of what is of an event type, of a plugin, or as a file has it', () => {
    const open = SCHEMAS.filter(([name]) => name !== 'OBJECT').flatMap(([name, schema]) => openPlaces(schema, name));
    const places = open.map((at) => at.replaceAll('.properties', '').replaceAll('.items', '[]'));
    expect(places.sort()).toEqual([
      'ARCHETYPE.defaults.model',
      'ARCHETYPE.defaults.skills[].anyOf.1',
      'AUDIT_ROW.payload',
      'AUTH_INFO.oidc',
      'LOG_ENTRY.payload',
      'PROVIDER.extra_body',
      'PROVIDER.limits',
      'PROVIDER.prices[]',
      'PROVIDERS.providers[].extra_body',
      'PROVIDERS.providers[].limits',
      'PROVIDERS.providers[].prices[]',
      'RUN_REPORT.events[].payload',
      'SKILLS_ADDED.credential_entries[].value',
      'SKILLS_ADDED.server_entry.anyOf.0',
      'TOPOLOGY.input_schema',
      'TRIGGERS[].config',
      'WHOLE_EVENT.payload',
      'WHY.events[].payload',
      'WORKSPACE_CONFIG.credentials[].config',
      'WORKSPACE_CONFIG.events[]',
      'WORKSPACE_CONFIG.mcp_servers[]',
    ]);
  });

  const SAMPLE = closed(
    {
      name: STRING,
      kind: oneOf(['agent', 'call']),
      trend: among(['better', 'worse']),
      tags: arrayOf(STRING),
      labels: recordOf(INTEGER),
      parent: nullable(STRING),
      role: nullable(oneOf(['all', 'api'])),
      inner: nullable(closed({ done: BOOLEAN })),
      note: STRING,
    },
    ['note'],
  );
  type Sample = wire.TypeOf<typeof SAMPLE>;
  const whole: Sample = {
    name: 'a',
    kind: 'agent',
    trend: 'better',
    tags: ['x'],
    labels: { one: 1 },
    parent: null,
    role: null,
    inner: { done: true },
    note: 'there',
  };

  it('has the type of what it lets through', () => {
    expectTypeOf<Sample['kind']>().toEqualTypeOf<'agent' | 'call'>();
    expectTypeOf<Sample['trend']>().toEqualTypeOf<'better' | 'worse'>();
    expectTypeOf<Sample['tags']>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<Sample['parent']>().toEqualTypeOf<string | null>();
    expectTypeOf<Sample['role']>().toEqualTypeOf<'all' | 'api' | null>();
    expectTypeOf<Sample['inner']>().toEqualTypeOf<{ readonly done: boolean } | null>();
    expectTypeOf<keyof Sample>().toEqualTypeOf<keyof typeof whole>();
    expectTypeOf<wire.WireJob['usage']>().not.toEqualTypeOf<Json>();
    // @ts-expect-error A member that is not optional is missing.
    const missing: Sample = { ...whole, name: undefined };
    expect(missing.name).toBeUndefined();
  });

  const { note: _, ...without } = whole;
  it.each<[string, unknown, boolean]>([
    ['the whole', whole, true],
    ['one without its optional member', without, true],
    ['null where it may be', { ...whole, inner: null, parent: 'p', role: 'api' }, true],
    ['one without another member', { ...whole, name: undefined }, false],
    ['a word that is not listed', { ...whole, kind: 'step' }, false],
    ['a word that is not listed, without a type', { ...whole, trend: 'flat' }, false],
    ['a word that is not listed where null may be', { ...whole, role: 'worker' }, false],
    ['null where it may not be', { ...whole, name: null }, false],
    ['a member that nobody described', { ...whole, more: 1 }, false],
    ['another value of a record', { ...whole, labels: { one: 'x' } }, false],
  ])('takes or refuses %s as its type does', (_name, value, isTaken) => {
    expect(ajv().compile(SAMPLE)(JSON.parse(JSON.stringify(value)))).toBe(isTaken);
  });
});

describe('the export of the wire', () => {
  it('holds schemas that a strict validator takes', () => {
    expect(SCHEMAS.length).toBeGreaterThan(40);
    const strict = ajv();
    // Those that name themselves come first: others refer to them.
    for (const [, schema] of SCHEMAS) if ('$id' in schema) strict.addSchema(schema);
    for (const [name, schema] of SCHEMAS)
      if (!name.endsWith('_FIELDS')) expect(() => strict.compile(schema)).not.toThrow();
  });
});
