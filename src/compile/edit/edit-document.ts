import { parseDocument } from 'yaml';
import type { SourceFile } from '../../domain/diagnostic.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { parseSource } from '../parse/parse-source.js';
import { placesOf } from './places.js';
import { planValue, type Splice } from './plan-edits.js';
import { renderDocument, styleOf } from './render.js';

const isJson = (path: string): boolean => path.endsWith('.json');

/** Text of a file that does not exist yet. */
export const newDocument = (path: string, content: JsonObject): string =>
  isJson(path) ? `${JSON.stringify(content, null, 2)}\n` : renderDocument(content);

function spliced(text: string, splices: readonly Splice[]): string {
  let out = '';
  let from = 0;
  // The sort is stable: lines that come at one place keep their order.
  for (const { start, end, text: fresh } of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    out += text.slice(from, start) + fresh;
    from = Math.max(from, end);
  }
  return out + text.slice(from);
}

/** Members in the order of the file, new ones behind them. */
function inOrderOf(old: Json, next: Json): Json {
  if (Array.isArray(old) && Array.isArray(next)) return next.map((item, at) => inOrderOf(old[at] ?? null, item));
  if (
    typeof old !== 'object' ||
    typeof next !== 'object' ||
    old === null ||
    next === null ||
    Array.isArray(old) ||
    Array.isArray(next)
  )
    return next;
  // neither is a list: the line above
  const [before, wanted] = [old as JsonObject, next as JsonObject];
  const keys = [
    ...Object.keys(before).filter((key) => Object.hasOwn(wanted, key)),
    ...Object.keys(wanted).filter((key) => !Object.hasOwn(before, key)),
  ];
  return Object.fromEntries(keys.map((key) => [key, inOrderOf(before[key] ?? null, wanted[key] ?? null)]));
}

function editedJson(text: string, old: JsonObject, content: JsonObject): string {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? (text.trim().includes('\n') ? 2 : 0);
  const fresh = JSON.stringify(inOrderOf(old, content), null, indent);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = fresh.replaceAll('\n', eol) + (text.slice(text.trimEnd().length).includes('\n') ? eol : '');
  return text.startsWith('\uFEFF') ? `\uFEFF${lines}` : lines;
}

function editedYaml(text: string, old: JsonObject, content: JsonObject): string | null {
  const root = parseDocument(text, {
    version: '1.2',
    uniqueKeys: false,
    logLevel: 'silent',
    keepSourceTokens: false,
  }).contents;
  const splices = planValue({ places: placesOf(text), style: styleOf(text) }, root, old, content);
  return splices === null ? null : spliced(text, splices);
}

/**
 * The text of a file changed so that it says `content`: the values that differ are replaced where
 * they stand, and every other character stays as it is (comments, quotes, blank lines, line breaks,
 * byte order mark). A comment goes only with the value that it stands in. JSON is written with the
 * indentation that it had.
 *
 * Null: the file cannot be changed that way (it is not a mapping, or an anchor is used where the
 * new content differs); its author has to send the whole text. What is returned is read back and
 * compared before, so it never says something else.
 */
export function editDocument(source: SourceFile, content: JsonObject): string | null {
  const { parsed } = parseSource(source);
  if (parsed === null) return null;
  if (canonicalJson(parsed.value) === canonicalJson(content)) return source.text;
  const text = isJson(source.path)
    ? editedJson(source.text, parsed.value, content)
    : editedYaml(source.text, parsed.value, content);
  const read = text === null ? null : parseSource({ path: source.path, text }).parsed;
  return read !== null && canonicalJson(read.value) === canonicalJson(content) ? text : null;
}
