import { isObject } from '../../lib/json.js';
import { sha256Hex } from '../../lib/sha256.js';

/** Why a text was left alone. */
export type ColumnarRefusal = 'no_json' | 'duplicate_keys' | 'too_deep' | 'looks_encoded' | 'no_table';

export type Columnar =
  | { readonly taken: true; readonly text: string }
  | { readonly taken: false; readonly why: ColumnarRefusal };

/** Fewer rows repeat too little to be worth it (docs/design/execution.md#compression). */
const MIN_ROWS = 3;
const MAX_DEPTH = 200;

/**
 * Lays out tables by columns: an array of three or more objects with one key set becomes
 * `{"columns": [...], "rows": [[...]]}`, at any depth. Nothing is lost: the value that was sent can
 * be read back from every result, numbers keep the digits that they were written with, and what
 * cannot be told apart afterwards is left alone and named: rows of different keys, a key that
 * stands twice, and an input that holds an object of just `columns` and `rows`.
 */
export function columnar(text: string): Columnar {
  const parsed = parse(text);
  if ('why' in parsed) return { taken: false, why: parsed.why };
  const layout: Layout = { keys: 0, tables: 0, problem: null };
  const value = layOut(parsed.value, layout, 0);
  if (layout.problem !== null) return { taken: false, why: layout.problem };
  if (layout.keys !== keysIn(text)) return { taken: false, why: 'duplicate_keys' };
  return layout.tables === 0 ? { taken: false, why: 'no_table' } : { taken: true, text: written(value, parsed.mark) };
}

interface Layout {
  /** Members of all objects, as parsing kept them. */
  keys: number;
  tables: number;
  problem: ColumnarRefusal | null;
}

interface Parsed {
  readonly value: unknown;
  /** Stands before the digits of a number that is held as a text; null = none is. */
  readonly mark: string | null;
}

function parse(text: string): Parsed | { readonly why: ColumnarRefusal } {
  try {
    const value: unknown = JSON.parse(text);
    if (!INEXACT.test(text)) return { value, mark: null };
    // No text holds its own digest: what begins with it was put there below.
    const mark = sha256Hex(text);
    const marked = text.replace(TOKENS, (token) =>
      token.startsWith('"') || String(Number(token)) === token ? token : `"${mark}${token}"`,
    );
    return marked === text ? { value, mark: null } : { value: JSON.parse(marked), mark };
  } catch (error) {
    return { why: error instanceof RangeError ? 'too_deep' : 'no_json' };
  }
}

/**
 * Some number may be written otherwise than JavaScript writes it: a fraction, an exponent, a minus
 * zero, or many digits.
 */
const INEXACT = /\d[.eE]|-0|\d{16}/;

/**
 * Strings and numbers of a text that is JSON. JavaScript would change the digits of some: long
 * ones, fractions that end in a zero.
 */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function written(value: unknown, mark: string | null): string {
  const text = JSON.stringify(value);
  return mark === null ? text : text.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}

function layOut(value: unknown, layout: Layout, depth: number): unknown {
  if (typeof value !== 'object' || value === null || layout.problem !== null) return value;
  if (depth > MAX_DEPTH) layout.problem = 'too_deep';
  else if (Array.isArray(value)) {
    const columns = columnsOf(value);
    if (columns === null) return value.map((item) => layOut(item, layout, depth + 1));
    layout.tables += 1;
    const cellsOf = (row: Members): unknown[] => {
      note(row, columns, layout);
      return columns.map((key) => layOut(row[key], layout, depth + 2));
    };
    return { columns, rows: value.map(cellsOf) };
  } else {
    const members = value as Members; // neither null, nor a list, nor a scalar
    const keys = Object.keys(members);
    note(members, keys, layout);
    return Object.fromEntries(keys.map((key) => [key, layOut(members[key], layout, depth + 1)]));
  }
  return value;
}

type Members = Readonly<Record<string, unknown>>;

function note(members: Members, keys: readonly string[], layout: Layout): void {
  layout.keys += keys.length;
  if (keys.length === 2 && Array.isArray(members.columns) && Array.isArray(members.rows))
    layout.problem = 'looks_encoded';
}

/** The keys of a table, in the order of its first row; null = not a table. */
function columnsOf(items: readonly unknown[]): readonly string[] | null {
  const [first] = items;
  if (items.length < MIN_ROWS || !isObject(first)) return null;
  const keys = Object.keys(first);
  const isRow = (item: unknown): boolean =>
    isObject(item) && Object.keys(item).length === keys.length && keys.every((key) => Object.hasOwn(item, key));
  return keys.length > 0 && items.every(isRow) ? keys : null;
}

/**
 * Colons outside of strings: parsing keeps only the last of two members with one key, and says
 * nothing.
 */
function keysIn(text: string): number {
  let keys = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === BACKSLASH && inString) at += 1;
    else if (char === QUOTE) inString = !inString;
    else if (char === COLON && !inString) keys += 1;
  }
  return keys;
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
