import { isCollection, type Scalar as ScalarNode, stringify, Document as YamlDocument } from 'yaml';
import type { Json } from '../../domain/json.js';
import { indentOf } from '../parse/parse-source.js';

/** How the file at hand is written, so that new lines look like its own. */
export interface Style {
  readonly eol: '\n' | '\r\n';
  /** `key:` and its dashes stand in different columns. */
  readonly indentsLists: boolean;
}

/**
 * Dashes right below their key: the other of the two usual ways. Line by line: a pattern over the
 * whole text could take forever.
 */
function hasFlushList(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.some((line, at) => {
    const above = lines[at - 1]?.trim() ?? '';
    const isItem = /^ *- /.test(line) && above.includes(':') && !/^[-#]/.test(above);
    return isItem && indentOf(line) === indentOf(lines[at - 1] ?? '');
  });
}

export const styleOf = (text: string): Style => ({
  eol: text.includes('\r\n') ? '\r\n' : '\n',
  indentsLists: !hasFlushList(text),
});

/** Nothing is folded: a long line stays one line, as its author sent it. */
const optionsOf = (style: Style) => ({ lineWidth: 0, indentSeq: style.indentsLists }) as const;

function shifted(text: string, column: number, style: Style): string {
  const pad = ' '.repeat(column);
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line, index) => (index === 0 || line === '' ? line : pad + line)).join(style.eol);
}

/**
 * `key: value` without its last line break; lines after the first are indented for a key in this
 * column.
 */
export const renderPair = (key: string, value: Json, column: number, style: Style): string =>
  shifted(stringify({ [key]: value }, optionsOf(style)), column, style);

/** Everything behind the key: `: value`. */
export const renderBehindKey = (value: Json, column: number, style: Style): string =>
  renderPair('k', value, column, style).slice(1);

/** `- value` without its last line break, for a dash in this column. */
export const renderItem = (value: Json, column: number, style: Style): string =>
  shifted(stringify([value], optionsOf(style)), column, style);

/** A whole new document. */
export const renderDocument = (value: Json): string => stringify(value, { lineWidth: 0 });

/**
 * One line inside brackets or as a plain value; null when it takes several lines. Quotes stay those
 * of the value before.
 */
export function renderScalar(value: Json, like: ScalarNode['type'], inBrackets: boolean): string | null {
  const document = new YamlDocument(inBrackets ? [value] : value);
  // made from a scalar one line above
  const node = document.getIn(inBrackets ? [0] : [], true) as ScalarNode;
  if (typeof value === 'string' && (like === 'QUOTE_DOUBLE' || like === 'QUOTE_SINGLE')) node.type = like;
  if (!inBrackets) return ifUnbroken(stringify(node, { lineWidth: 0 }));
  if (isCollection(document.contents)) document.contents.flow = true;
  return ifUnbroken(document.toString({ lineWidth: 0, flowCollectionPadding: false }).trim().slice(1, -1));
}

const ifUnbroken = (text: string): string | null => (/[\r\n]/.test(text.trimEnd()) ? null : text.trimEnd());

/**
 * A list or mapping in brackets: on one line when it was, else as indented JSON, which YAML reads
 * too.
 */
export function renderFlow(value: Json, before: string, column: number, style: Style): string {
  if (before.includes('\n')) return shifted(JSON.stringify(value, null, 2), column, style);
  const document = new YamlDocument(value, { aliasDuplicateObjects: false });
  if (isCollection(document.contents)) document.contents.flow = true;
  return document.toString({ lineWidth: 0, flowCollectionPadding: /^[[{]\s/.test(before) }).trim();
}
