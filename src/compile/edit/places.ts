import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

/** Offsets in the text of one document. */
export interface Places {
  readonly text: string;
  columnOf(offset: number): number;
  lineStart(offset: number): number;
  /** Just behind the line break of this line, or the end of the text. */
  lineEnd(offset: number): number;
  /** Nothing but blanks stands before it on its line. */
  opensLine(offset: number): boolean;
}

export function placesOf(text: string): Places {
  const lineStart = (offset: number): number => {
    const start = text.lastIndexOf('\n', offset - 1) + 1;
    return start === 0 && text.startsWith('\uFEFF') ? Math.min(1, offset) : start;
  };
  return {
    text,
    lineStart,
    columnOf: (offset) => offset - lineStart(offset),
    lineEnd: (offset) => {
      if (offset > 0 && text[offset - 1] === '\n') return offset;
      const end = text.indexOf('\n', offset);
      return end < 0 ? text.length : end + 1;
    },
    opensLine: (offset) => /^ *$/.test(text.slice(lineStart(offset), offset)),
  };
}

export const isBlock = (node: unknown): node is YAMLMap | YAMLSeq => isCollection(node) && node.flow !== true;

const BLOCK_SCALARS: readonly unknown[] = ['BLOCK_LITERAL', 'BLOCK_FOLDED'];
export const isBlockScalar = (node: unknown): boolean => isScalar(node) && BLOCK_SCALARS.includes(node.type);

/** Text of a key that stands plainly before its colon; null for every other form. */
export function keyText(pair: Pair<unknown, unknown>): string | null {
  const { key } = pair;
  if (!isScalar(key) || key.range == null || key.anchor !== undefined || key.tag !== undefined) return null;
  if (typeof key.value === 'string') return key.value;
  return typeof key.source === 'string' ? key.source : null;
}

export const startOf = (node: Node): number => node.range?.[0] ?? 0;

/** Where the value itself ends: comments and blank lines behind it do not count. */
export function contentEnd(node: unknown): number {
  if (isPair(node)) return Math.max(contentEnd(node.key), contentEnd(node.value));
  if (isAlias(node) || isScalar(node)) return node.range?.[1] ?? 0;
  if (!isMap(node) && !isSeq(node)) return 0;
  return node.flow === true ? (node.range?.[1] ?? 0) : contentEnd(node.items.at(-1));
}
