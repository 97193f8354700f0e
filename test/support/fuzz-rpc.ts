import { below, oneOf, type Random } from './fuzz-mutations.js';

type Node = Record<string, unknown> | unknown[];
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** A value and what is below it, without a stack of calls: it may be nested by thousands. */
function nodesOf(value: unknown): readonly Node[] {
  const found: Node[] = [];
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (!isNode(one)) continue;
    found.push(one);
    left.push(...Object.values(one).reverse());
  }
  return found;
}

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
/**
 * Stands for arrays in arrays until there is a text: one value may hold several of them, and to
 * write them out would need a stack of calls.
 */
const [NESTED, LEVELS] = ['nested by thousands', 20_000];
const ODD: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, '', ' ', 'x', 'x'.repeat(5000), '\u0000', '\ud800', '__proto__'],
  ...[
    [],
    {},
    [null],
    { a: 1 },
    JSON.parse(deep(50)),
    NESTED,
    '../../etc/passwd',
    'tools/call',
    'message/send',
    '2026-07-28',
    '1900-01-01',
  ],
];

/** JSON that is changed once to three times at some place, and stays JSON. */
export function changed(base: object, donor: object, random: Random): string {
  const value = structuredClone(base);
  for (let n = below(random, 3); n >= 0; n--) {
    const node = oneOf(random, nodesOf(value)) as Record<string, unknown>;
    const names = Object.keys(node);
    const name = names.length === 0 ? 'a' : oneOf(random, names);
    const how = random();
    if (how < 0.45) node[name] = structuredClone(oneOf(random, ODD));
    else if (how < 0.6) delete node[name];
    else if (how < 0.75)
      node[oneOf(random, ['_meta', 'id', 'params', 'method', 'x', 'arguments'])] = structuredClone(oneOf(random, ODD));
    else node[name] = structuredClone(oneOf(random, nodesOf(donor)));
  }
  return JSON.stringify(value).replaceAll(JSON.stringify(NESTED), deep(LEVELS));
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A response or, in a stream, a notice of the protocol. */
export function isRpc(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isRpc);
  if (!isObject(value) || value.jsonrpc !== '2.0') return false;
  if (isObject(value.error)) return Number.isInteger(value.error.code) && typeof value.error.message === 'string';
  return isObject(value.result) ? value.id !== undefined : typeof value.method === 'string';
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const dataOf = (stream: string): readonly unknown[] =>
  stream
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim())
    .filter((data) => data !== '')
    .map(parsed);
