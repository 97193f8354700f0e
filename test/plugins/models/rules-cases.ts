import type { Json, JsonObject, JsonSchema } from '@kit-run/kit/plugin';
import fc from 'fast-check';

/** One random case: what the children gave, and a schema drawn partly from it. */
export interface Case {
  readonly children: Readonly<
    Record<string, { readonly output: JsonObject; readonly isError: boolean; readonly asText: boolean }>
  >;
  readonly schema: JsonSchema;
  /** Query of a hint -> what it must give, worked out without any JSONPath. */
  readonly expected: ReadonlyMap<string, Json>;
}

export type Location = readonly (string | number)[];

const NAMES = ['a', 'b', 'n', 's', 'list', 'status'];
const name = fc.constantFrom(...NAMES);
const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.integer({ min: 1, max: 99 }).map((n) => n + 0.5),
  fc.string({ maxLength: 4 }),
  fc.boolean(),
  fc.constant(null),
);
const { node } = fc.letrec<{ node: Json; record: JsonObject }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { arbitrary: leaf, weight: 3 },
    { arbitrary: tie('record'), weight: 2 },
    fc.array(tie('node'), { maxLength: 3 }),
  ),
  record: fc.dictionary(name, tie('node'), { minKeys: 1, maxKeys: 4 }),
}));
const row = fc.record({ s: fc.constantFrom('x', 'y'), n: fc.integer({ min: 0, max: 50 }) }) as fc.Arbitrary<JsonObject>;
const output = fc
  .tuple(fc.dictionary(name, node, { minKeys: 2, maxKeys: 5 }), fc.array(row, { maxLength: 4 }))
  .map(([record, rows]): JsonObject => ({ ...record, rows }));
const child = fc.record({ output, isError: fc.boolean(), asText: fc.boolean() });

/** How one property of the schema is drawn. */
interface Plan {
  readonly name: string;
  readonly kind: 'name' | 'group' | 'members' | 'renamed' | 'from' | 'count' | 'filter' | 'sum' | 'status';
  readonly pick: number;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'any';
  readonly isRequired: boolean;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  name: fc.constantFrom(...NAMES, 'rows'),
  kind: fc.constantFrom(
    'name',
    'name',
    'group',
    'members',
    'renamed',
    'from',
    'from',
    'count',
    'filter',
    'sum',
    'status',
  ),
  pick: fc.nat(),
  type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'any', 'any', 'any'),
  isRequired: fc.boolean(),
});

export const randomCase: fc.Arbitrary<Case> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom('c0', 'c1', 'c2'), { minLength: 1, maxLength: 3 }),
    fc.array(child, { minLength: 3, maxLength: 3 }),
    fc.array(plan, { minLength: 1, maxLength: 6 }),
  )
  .map(([names, outputs, plans]) => {
    const children = Object.fromEntries(names.map((key, index) => [key, outputs[index]!]));
    return { children, ...drawSchema(children, plans) };
  });

/**
 * The results as `rules` reads them, by the rule of its documentation: a failed child has the
 * status failed.
 */
export function normalized(children: Case['children']): JsonObject {
  return Object.fromEntries(
    Object.entries(children).map(([key, { output, isError }]) => [
      key,
      isError ? { ...output, status: 'failed' } : output,
    ]),
  );
}

/** Every scalar of a value with its place. */
export function leavesOf(
  value: Json,
  location: Location = [],
): readonly { readonly location: Location; readonly value: Json }[] {
  if (typeof value !== 'object' || value === null) return [{ location, value }];
  const entries: [string | number, Json][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, item]) => leavesOf(item, [...location, key]));
}

export function pathOf(location: Location): string {
  return `$${location.map((step) => (typeof step === 'number' ? `[${step}]` : `['${step}']`)).join('')}`;
}

/** Plans that look a value up by name keep it; of the others each has a name of its own. */
function nameOf(item: Plan, index: number): string {
  if (item.kind === 'members') return item.pick % 3 === 0 ? item.name : 'rows';
  return item.kind === 'name' ? item.name : `${item.name}${index}`;
}

function drawSchema(children: Case['children'], plans: readonly Plan[]): Pick<Case, 'schema' | 'expected'> {
  const root = normalized(children);
  const leaves = leavesOf(root);
  const expected = new Map<string, Json>();
  const properties = plans.map((item, index) => [nameOf(item, index), draw(item)] as const);

  function draw({ kind, pick, type, name: property }: Plan): JsonSchema {
    const typed: JsonSchema = type === 'any' ? {} : { type };
    const key = Object.keys(children)[pick % Object.keys(children).length]!;
    const rows = children[key]!.output.rows as readonly { readonly s: string; readonly n: number }[];
    const expect = (query: string, value: Json): string => {
      expected.set(query, value);
      return query;
    };
    switch (kind) {
      case 'name':
        return typed;
      case 'group':
        return { type: 'object', properties: { [property]: typed, n: { type: 'integer' } }, required: [property] };
      case 'members':
        return {
          type: 'array',
          items: {
            type: 'object',
            properties: { s: typed, n: { type: 'integer' } },
            required: pick % 2 === 0 ? ['n'] : [],
          },
        };
      case 'renamed':
        return {
          type: 'array',
          'x-from': `$['${key}']['rows'][?@.s == 'x']`,
          items: {
            type: 'object',
            properties: { letter: { 'x-from': '@.s' }, number: { 'x-from': '@.n' } },
            required: ['letter', 'number'],
          },
        };
      case 'from': {
        // One in four has the type of the plan, which need not be that of the value.
        const target = leaves[pick % Math.max(1, leaves.length)];
        return {
          ...(pick % 4 === 0 ? typed : {}),
          'x-from': target === undefined ? '$.nowhere' : pathOf(target.location),
        };
      }
      case 'count':
        return { type: 'integer', 'x-count': expect(`$['${key}']['rows']`, rows.length) };
      case 'filter':
        return {
          type: 'integer',
          'x-count': expect(`$['${key}']['rows'][?@.s == 'x']`, rows.filter(({ s }) => s === 'x').length),
        };
      case 'sum':
        return {
          type: 'integer',
          'x-sum': expect(
            `$['${key}']['rows'][*].n`,
            rows.reduce((total, { n }) => total + n, 0),
          ),
        };
      case 'status': {
        const words = rows.map(({ s }) => s);
        const isFailed = children[key]!.isError;
        return {
          type: 'string',
          'x-status': {
            from: expect(`$['${key}']['rows'][*].s`, isFailed ? 'failed' : words.includes('y') ? 'y' : 'x'),
            order: ['failed', 'y', 'x'],
          },
        };
      }
    }
  }

  const required = plans.flatMap((item, index) =>
    item.isRequired && item.kind !== 'name' ? [properties[index]![0]] : [],
  );
  return {
    schema: { type: 'object', properties: Object.fromEntries(properties), required: [...new Set(required)] },
    expected,
  };
}
