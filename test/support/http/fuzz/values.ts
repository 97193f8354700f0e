import { below, oneOf, type Random } from '../../fuzz-mutations.js';

/** The part of JSON Schema that request schemas use. */
export interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly items?: ValueSchema;
  readonly additionalProperties?: boolean | ValueSchema;
  readonly oneOf?: readonly ValueSchema[];
  readonly anyOf?: readonly ValueSchema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** Texts that parsers, stores, terminals and logs trip over. */
export const TEXTS: readonly string[] = [
  ...[
    '',
    ' ',
    '\n',
    '\t',
    '\u0000',
    'a\u0000b',
    '\u0001\u001b[2J',
    '\u007f',
    '\ud800',
    'x\udfff',
    '\u202etxt',
    '\ufeff',
    '\uffff',
    '😀',
  ],
  ...[
    'e\u0301',
    '漢字',
    '\u200d',
    'null',
    'undefined',
    'true',
    'NaN',
    '-0',
    '1e999',
    '0x10',
    '9007199254740993',
    '__proto__',
    'constructor',
  ],
  ...[
    'toString',
    '../../etc/passwd',
    '..\\..\\x',
    '%2e%2e%2f',
    '%00',
    '%',
    '%zz',
    '${API_TOKEN}',
    '${db.password}',
    '${db.url}',
    '{credential.vault}',
  ],
  ...[
    "' OR 1=1 --",
    '"; DROP TABLE jobs; --',
    '%_%',
    '*',
    'a*b',
    '\\',
    '<script>alert(1)</script>',
    '{{constructor}}',
    '$(id)',
    '`id`',
    '\r\nX-Evil: 1',
  ],
  ...[
    'idle',
    'idle@1.0.0',
    'idle@',
    '@1.0.0',
    'idle@9.9.9',
    'release',
    'shaped',
    'noting',
    'note',
    'writer',
    'sign-off',
    'people',
    'env:API_TOKEN',
  ],
  ...[
    '2026-01-31T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '9999-12-31T23:59:60Z',
    '-000001-01-01T00:00:00Z',
    'P1D',
    'x'.repeat(300),
    'y'.repeat(70_000),
  ],
];

const NUMBERS: readonly number[] = [
  0,
  -0,
  1,
  -1,
  2,
  100,
  1000,
  1001,
  0.5,
  -1.5,
  1e21,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  5e-324,
  1.7976931348623157e308,
];

const nested = (random: Random): unknown => {
  const depth = oneOf(random, [3, 60, 199, 201, 1_000, 2_000]);
  const text =
    random() < 0.5 ? `${'['.repeat(depth)}${']'.repeat(depth)}` : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  return JSON.parse(text);
};

/** Any value, of whatever type. */
export function anyValue(random: Random): unknown {
  switch (below(random, 9)) {
    case 0:
      return null;
    case 1:
      return random() < 0.5;
    case 2:
      return oneOf(random, NUMBERS);
    case 3:
      return [];
    case 4:
      return {};
    case 5:
      return Array.from({ length: below(random, 20) }, () => oneOf(random, TEXTS));
    case 6:
      return { [oneOf(random, TEXTS)]: oneOf(random, NUMBERS), a: { b: oneOf(random, TEXTS) } };
    case 7:
      return random() < 0.2 ? nested(random) : oneOf(random, TEXTS);
    default:
      return oneOf(random, TEXTS);
  }
}

function textFor(schema: ValueSchema, random: Random): string {
  if (schema.format === 'date-time')
    return oneOf(random, ['2026-01-31T00:00:00Z', '2001-01-01T00:00:00+14:00', '2999-12-31T23:59:59.999Z']);
  if (schema.pattern?.includes('pending|') === true)
    return oneOf(random, ['pending', 'completed,failed', 'deferred', 'stopped']);
  if (schema.pattern?.startsWith('^[a-z]') === true)
    return oneOf(random, ['idle', 'release', 'note', 'writer', 'sign-off', 'people', 'scratch']);
  if (random() < 0.3) return oneOf(random, TEXTS).slice(0, schema.maxLength ?? 200);
  const edge = oneOf(random, [1, schema.minLength ?? 1, schema.maxLength ?? 40]);
  return 'a'.repeat(Math.min(edge, 200_000));
}

const numberFor = ({ minimum = 0, maximum = 1000 }: ValueSchema, random: Random): number =>
  oneOf(random, [minimum, maximum, minimum + below(random, Math.max(1, maximum - minimum))]);

const isGiven = (name: string, { required = [] }: ValueSchema, random: Random): boolean =>
  required.includes(name) || random() < 0.4;

/**
 * A value that the schema takes, as far as it is looked at here: at an edge more often than in the
 * middle.
 */
export function valueFor(schema: ValueSchema, random: Random): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return oneOf(random, schema.enum);
  const type =
    typeof schema.type === 'string' ? schema.type : schema.type === undefined ? undefined : oneOf(random, schema.type);
  switch (type) {
    case 'string':
      return textFor(schema, random);
    case 'integer':
      return Math.round(numberFor(schema, random));
    case 'number':
      return numberFor(schema, random);
    case 'boolean':
      return random() < 0.5;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: oneOf(random, [0, 1, 2, schema.maxItems ?? 3]) }, () =>
        valueFor(schema.items ?? {}, random),
      );
    case 'object':
      return objectFor(schema, random);
    default:
      return schema.properties === undefined ? anyValue(random) : objectFor(schema, random);
  }
}

function objectFor(schema: ValueSchema, random: Random): object {
  const choices = schema.oneOf ?? schema.anyOf ?? [];
  const chosen = choices.length === 0 ? [] : (oneOf(random, choices).required ?? []);
  const all = { ...schema, required: [...(schema.required ?? []), ...chosen] };
  const others = new Set(choices.flatMap(({ required = [] }) => required).filter((name) => !chosen.includes(name)));
  const names = Object.keys(schema.properties ?? {}).filter((name) => !others.has(name) && isGiven(name, all, random));
  return Object.fromEntries(names.map((name) => [name, valueFor(schema.properties?.[name] ?? {}, random)]));
}

/** The value with one thing wrong: a type, a member too many or too few, another depth. */
export function spoil(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || random() < 0.2) return anyValue(random);
  const entries = Object.entries(value);
  const at = below(random, entries.length + 1);
  switch (below(random, 4)) {
    case 0:
      return Object.fromEntries(entries.filter((_entry, index) => index !== at));
    case 1:
      return { ...value, [oneOf(random, TEXTS)]: anyValue(random) };
    default:
      return Object.fromEntries(entries.map(([name, one], index) => [name, index === at ? spoil(one, random) : one]));
  }
}
