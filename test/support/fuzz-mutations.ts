import { parse, stringify } from 'yaml';

/** Numbers in [0, 1); the same for the same seed. */
export type Random = () => number;

export const below = (random: Random, count: number): number => Math.floor(random() * count);
// items is never empty
export const oneOf = <T>(random: Random, items: readonly T[]): T => items[below(random, items.length)] as T;

/** Pieces that parsers, linkers and renderers trip over. */
const SPLINTERS = [
  ...[
    '\n',
    '\r',
    '\r\n',
    '\t',
    ' ',
    ': ',
    '- ',
    '? ',
    ', ',
    '#',
    ' #',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '`',
    '|\n',
    '>-\n',
    '|2\n',
    '\\',
    '%',
    '@',
  ],
  ...[
    '---\n',
    '...\n',
    '%YAML 1.1\n---\n',
    '%TAG ! x\n',
    '&x ',
    '*x',
    '*x\n',
    '<<: *x\n',
    '<<: {a: b}\n',
    '&x [*x]',
    '!!binary ',
    '!!set ',
    '!!omap ',
    '!x ',
    '!<y> ',
  ],
  ...[
    '\uFEFF',
    '\u0000',
    '\u0007',
    '\u001b[2J',
    '\u0085',
    '\u2028',
    '\u202e',
    '\ud800',
    '\udc00',
    '😀',
    'e\u0301',
    '漢',
    '\u{1F468}\u200D\u{1F469}',
  ],
  ...[
    'null',
    '~',
    'true',
    'yes',
    '.inf',
    '.nan',
    '1e999',
    '-0',
    '0x1F',
    '0o17',
    '1_000',
    '123456789012345678901234567890',
    '2026-01-31',
    '12:30:45',
  ],
  ...[
    '${',
    '${A}',
    '${A:-b}',
    '$${A}',
    '${KEY}',
    '{credential.x}',
    '{{ input }}',
    '{task.statement}',
    '](http://x)',
    '::error::x',
    '%0A',
    '../..',
    'C:\\x',
  ],
  ...[
    '__proto__: 1\n',
    'constructor: {}\n',
    '"": 1\n',
    'kind: Skill\n',
    'apiVersion: kit/v1\n',
    '? {a: b}\n: c\n',
    '? [a]\n: c\n',
  ],
];

/** Values that stand where another was expected. */
const VALUES: readonly unknown[] = [
  ...[
    null,
    '',
    0,
    -1,
    1.5,
    1e21,
    Number.MAX_SAFE_INTEGER,
    true,
    false,
    [],
    {},
    [null],
    [[]],
    { a: 1 },
    'x',
    'X Y',
    'a-b',
    'a:b',
    'a/b~c',
    '~',
    '*',
    '.',
  ],
  ...[
    '${A}',
    '${A:-b}',
    '${KEY}',
    '${',
    '{credential.x}',
    '{{ input }}',
    '(',
    '[',
    '^(a+)+$',
    '* * * * *',
    '@daily',
    'Europe/Berlin',
    'Nowhere/At',
    '1.2.3',
  ],
  ...[
    '>=9999.0.0',
    'https://x',
    'file:///etc',
    'env:X',
    'design:approve',
    'repo:read',
    'root',
    'worker',
    'root@1.0.0',
    '__proto__',
    'constructor',
  ],
  ...[
    '\u001b[31m',
    '\u202e',
    '\ud800',
    'x'.repeat(3000),
    { $ref: '#' },
    { $ref: 'https://x' },
    { type: 'object', properties: { __proto__: {} } },
    { type: 'nope' },
  ],
];

const deep = (random: Random): string => {
  const [open, close] = oneOf(random, [
    ['[', ']'],
    ['{a: ', '}'],
    ['- ', ''],
    ['? ', ''],
    ['"x": [', ']'],
  ] as const);
  const depth = oneOf(random, [5, 60, 150, 250, 1_000, 6_000]);
  return `\nx: ${open.repeat(depth)}1${random() < 0.8 ? close.repeat(depth) : ''}\n`;
};

const bomb = (random: Random): string => {
  const width = oneOf(random, [2, 9]);
  const levels = Array.from(
    { length: oneOf(random, [3, 9]) },
    (_, n) => `a${n}: &a${n} [${Array.from({ length: width }, () => (n === 0 ? 'x' : `*a${n - 1}`)).join(', ')}]`,
  );
  return `\n${levels.join('\n')}\n`;
};

function swapBytes(text: string, random: Random): string {
  const at = below(random, text.length + 1);
  const insert =
    random() < 0.5 ? String.fromCharCode(below(random, random() < 0.7 ? 0x80 : 0x1_0000)) : oneOf(random, SPLINTERS);
  return text.slice(0, at) + (random() < 0.3 ? '' : insert) + text.slice(at + below(random, 6));
}

function swapLines(text: string, random: Random): string {
  const lines = text.split('\n');
  const [a, b] = [below(random, lines.length), below(random, lines.length)];
  const line = lines[a] ?? '';
  switch (below(random, 6)) {
    case 0:
      return lines.filter((_line, index) => index !== a).join('\n');
    case 1:
      return lines.toSpliced(b, 0, line).join('\n');
    case 2:
      return lines
        .with(a, lines[b] ?? '')
        .with(b, line)
        .join('\n');
    case 3:
      return lines.with(a, ' '.repeat(below(random, 9)) + line.trimStart()).join('\n');
    case 4:
      return lines.with(a, `\t${line}`).join('\n');
    default:
      return lines.slice(0, a + 1).join('\n');
  }
}

function swapTokens(text: string, random: Random): string {
  const tokens = [...text.matchAll(/[\w.:/{}$-]+/g)];
  const token = tokens[below(random, tokens.length)];
  if (token === undefined) return text;
  const other = random() < 0.5 ? (tokens[below(random, tokens.length)]?.[0] ?? '') : oneOf(random, SPLINTERS);
  return text.slice(0, token.index) + other + text.slice(token.index + token[0].length);
}

function restructure(text: string, random: Random): string {
  switch (below(random, 10)) {
    case 0:
      return text.replaceAll('\n', '\r\n');
    case 1:
      return text.replaceAll('\n', '\r');
    case 2:
      return `\uFEFF${text}`;
    case 3:
      return text + deep(random);
    case 4:
      return text + bomb(random);
    case 5:
      return `${text}\n${'k'.repeat(oneOf(random, [100, 1_023, 1_025, 60_000]))}: 1\n`;
    case 6:
      return text.replace(/: /, ': &x ') + oneOf(random, ['\ny: *x\n', '\n<<: *x\n', '\ny: *nope\n']);
    case 7:
      return `${text}\n---\n${text}`;
    case 8:
      return '';
    default:
      return text.replaceAll('  ', '\t');
  }
}

type Tree = Record<string, unknown> | unknown[];
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** Every mapping and list below a value, itself among them. */
const treesIn = (value: unknown): readonly Tree[] =>
  isTree(value) ? [value, ...Object.values(value).flatMap(treesIn)] : [];

/** One change to a tree of values: it stays YAML, so that schema, links and rules are reached. */
function changeTree(root: Tree, donor: unknown, random: Random): void {
  const tree = oneOf(random, treesIn(root));
  const donors = treesIn(donor);
  const value =
    random() < 0.5
      ? oneOf(random, VALUES)
      : (Object.values(donors.length === 0 ? {} : oneOf(random, donors))[0] ?? null);
  if (Array.isArray(tree)) {
    const at = below(random, tree.length + 1);
    if (random() < 0.4) tree.splice(at, 1);
    else if (random() < 0.5) tree.splice(at, 0, structuredClone(tree[at] ?? value));
    else tree[at] = value;
    return;
  }
  const key = oneOf(random, [...Object.keys(tree), 'extra']);
  const dice = random();
  if (dice < 0.2) delete tree[key];
  else if (dice < 0.35) {
    tree[
      oneOf(random, [
        `${key}s`,
        key.toUpperCase(),
        key.slice(1),
        oneOf(random, donors.flatMap((one) => Object.keys(one)).concat('x')),
      ])
    ] = tree[key];
    delete tree[key];
  } else if (dice < 0.45) tree[key] = [tree[key]];
  else if (dice < 0.55) tree[key] = { [key]: tree[key] };
  else tree[key] = structuredClone(value);
}

const parsed = (text: string): unknown => {
  try {
    return parse(text, { logLevel: 'silent' });
  } catch {
    return null;
  }
};

function changeValues(text: string, donor: string, random: Random): string {
  const root = parsed(text);
  if (!isTree(root)) return swapBytes(text, random);
  // One change more often than several: what breaks the schema never reaches a rule.
  for (let n = random() < 0.7 ? 0 : 1 + below(random, 3); n >= 0; n--) changeTree(root, parsed(donor), random);
  return random() < 0.15
    ? JSON.stringify(root, null, below(random, 3))
    : stringify(root, { indent: 2 + below(random, 3), lineWidth: 0 });
}

/**
 * A text that was changed once to four times; `donor` is another artifact that parts are taken
 * from.
 */
export function mutate(text: string, donor: string, random: Random): string {
  if (random() < 0.6) return changeValues(text, donor, random);
  const kinds = [swapBytes, swapLines, swapTokens, restructure];
  let current = random() < 0.3 ? changeValues(text, donor, random) : text;
  for (let n = below(random, 3); n >= 0; n--) current = oneOf(random, kinds)(current, random);
  return current;
}
