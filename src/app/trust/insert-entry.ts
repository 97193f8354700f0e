import { isDeepStrictEqual } from 'node:util';
import { isMap, isSeq, type Node, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Capability } from '../../govern/harness/accrual.js';

/** The entry as a flow mapping of YAML. */
export const entryText = ({ kind, match }: Pick<Capability, 'kind' | 'match'>): string =>
  `{ kind: ${kind}, match: ${JSON.stringify(match)}, then: allow }`;

/**
 * The text of an archetype with one more entry in `executor.config.permissions`; every other byte
 * stays. Null where the text is written in a way that it cannot be added to: what comes out is read
 * again and compared.
 */
export function withEntry(text: string, capability: Pick<Capability, 'kind' | 'match'>): string | null {
  const document = parseDocument(text);
  if (document.errors.length > 0) return null;
  const added = insert(text, entryText(capability), (path) => document.getIn(path, true) as Node | undefined);
  if (added === null) return null;
  const after = parseDocument(added);
  if (after.errors.length > 0) return null;
  const wanted = document.toJS();
  const executor = wanted?.executor;
  if (typeof executor !== 'object' || executor === null) return null;
  const config = executor.config ?? {};
  const entry: unknown = parseDocument(entryText(capability)).toJS();
  executor.config = { ...config, permissions: [...(config.permissions ?? []), entry] };
  return isDeepStrictEqual(after.toJS(), wanted) ? added : null;
}

type At = (path: readonly string[]) => Node | undefined;

function insert(text: string, entry: string, at: At): string | null {
  const permissions = at(['executor', 'config', 'permissions']);
  if (permissions !== undefined) return isSeq(permissions) ? intoList(text, permissions, entry) : null;
  const config = at(['executor', 'config']);
  if (config !== undefined) return isMap(config) ? intoMap(text, config, ['permissions', entry]) : null;
  const executor = at(['executor']);
  return isMap(executor) ? intoMap(text, executor, ['config', 'permissions', entry]) : null;
}

function intoList(text: string, list: YAMLSeq, entry: string): string | null {
  if (list.flow === true) return intoFlow(text, list, entry);
  const last = list.items.at(-1) as Node | undefined;
  const start = list.range?.[0];
  if (last?.range == null || start === undefined) return null;
  return afterLine(text, last.range[1], `${indentAt(text, start)}- ${entry}`);
}

/** `keys` name what is made below the mapping; the last of them is the entry. */
function intoMap(text: string, map: YAMLMap, keys: readonly string[]): string | null {
  const [entry = '', ...outer] = [...keys].reverse();
  if (map.flow === true) {
    const inner = outer.reduce(
      (value, key, index) => (index === 0 ? `${key}: [${value}]` : `${key}: { ${value} }`),
      entry,
    );
    return intoFlow(text, map, inner);
  }
  const last = map.items.at(-1);
  const end = (last?.value as Node | null | undefined)?.range?.[1];
  const start = map.range?.[0];
  if (end === undefined || start === undefined) return null;
  const indent = indentAt(text, start);
  const lines = [...outer].reverse().map((key, depth) => `${indent}${'  '.repeat(depth)}${key}:`);
  return afterLine(text, end, [...lines, `${indent}${'  '.repeat(outer.length)}- ${entry}`].join('\n'));
}

/** Before the closing bracket of a flow collection. */
function intoFlow(text: string, node: YAMLMap | YAMLSeq, inner: string): string | null {
  const end = node.range?.[1];
  if (end === undefined) return null;
  const close = end - 1;
  const before = text.slice(0, close).trimEnd();
  const blanks = text.slice(before.length, close);
  const comma = node.items.length === 0 || before.endsWith(',') ? '' : ',';
  const pad = isMap(node) && blanks === '' ? ' ' : '';
  const space = comma === '' && node.items.length === 0 && isSeq(node) ? '' : ' ';
  return `${before}${comma}${space}${inner}${blanks}${pad}${text.slice(close)}`;
}

const indentAt = (text: string, offset: number): string =>
  ' '.repeat(offset - (text.lastIndexOf('\n', offset - 1) + 1));

/** After the line that the offset lies in, its comment included. */
function afterLine(text: string, offset: number, line: string): string {
  const from = text[offset - 1] === '\n' ? offset - 1 : offset;
  const end = text.indexOf('\n', from);
  return end < 0 ? `${text}\n${line}\n` : `${text.slice(0, end)}\n${line}${text.slice(end)}`;
}
