import type { Fix, SourceFile } from '../../domain/diagnostic.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { isObject } from '../../lib/json.js';
import { atPointer, pointerParts } from '../../lib/json-pointer.js';
import { isArray } from '../document.js';
import { parseSource } from '../parse/parse-source.js';
import { editDocument } from './edit-document.js';
import { renderFlow, renderPair, styleOf } from './render.js';

/** The value with the fix in it; null where it does not fit what is there. */
function fixedValue(value: Json, [name, ...rest]: readonly string[], fix: Fix): Json | null {
  if (name === undefined) return null;
  if (isArray(value)) {
    const at = Number(name);
    const item = value[at];
    if (item === undefined) return null;
    const inner = rest.length > 0 ? fixedValue(item, rest, fix) : fix.do === 'set' ? fix.value : null;
    return inner === null ? null : value.with(at, inner);
  }
  if (!isObject(value)) return null;
  if (rest.length > 0) {
    const inner = Object.hasOwn(value, name) ? fixedValue(value[name] ?? null, rest, fix) : null;
    return inner === null ? null : { ...value, [name]: inner };
  }
  if (fix.do === 'set') return { ...value, [name]: fix.value };
  if (!Object.hasOwn(value, name) || Object.hasOwn(value, fix.to)) return null;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key === name ? fix.to : key, one]));
}

/** The key written anew where it stands, in the quotes that it had. */
function renamed(text: string, span: { readonly start: number; readonly end: number }, to: string): string {
  const [first = ''] = text.slice(span.start, span.end);
  const quote = first === '"' || first === "'" ? first : '';
  return `${text.slice(0, span.start)}${quote}${to}${quote}${text.slice(span.end)}`;
}

/** The first line of a document: `apiVersion` and `kind` are looked for there. */
function prepended(source: SourceFile, value: JsonObject, name: string, wanted: Json): string | null {
  const [first] = Object.keys(value);
  const { parsed } = parseSource(source);
  if (first === undefined || parsed === null || source.path.endsWith('.json')) return null;
  const { start } = parsed.keySpanOf(`/${first}`);
  const style = styleOf(source.text);
  if (start > 0 && !/[\n\uFEFF]/.test(source.text[start - 1] ?? '')) return null;
  return `${source.text.slice(0, start)}${renderPair(name, wanted, 0, style)}${style.eol}${source.text.slice(start)}`;
}

/** A word that becomes a list or a mapping stays on its line, in brackets. */
function bracketed(source: SourceFile, span: { readonly start: number; readonly end: number }, value: Json): string {
  const text = renderFlow(value, Array.isArray(value) ? '[' : '{ ', 0, styleOf(source.text));
  return source.text.slice(0, span.start) + text + source.text.slice(span.end);
}

/**
 * The text of a file with one fix in it, every other character as it was. Null where that cannot be
 * done in place (an anchor, a pointer that leads nowhere by now): its author fixes it by hand. What
 * is returned was read back and says what was meant.
 */
export function applyFix(source: SourceFile, fix: Fix): string | null {
  const { parsed } = parseSource(source);
  if (parsed === null) return null;
  const parts = pointerParts(fix.pointer);
  const wanted = fixedValue(parsed.value, parts, fix);
  if (!isObject(wanted ?? undefined)) return null;
  const content = wanted as JsonObject; // the line above
  const [name = ''] = parts;
  const isNewAtTop = fix.do === 'set' && parts.length === 1 && !Object.hasOwn(parsed.value, name);
  const says = (text: string | null): text is string => {
    const read = text === null ? null : parseSource({ path: source.path, text }).parsed;
    return read !== null && canonicalJson(read.value) === canonicalJson(content);
  };
  const inPlace =
    fix.do === 'rename'
      ? renamed(source.text, parsed.keySpanOf(fix.pointer), fix.to)
      : isNewAtTop
        ? prepended(source, parsed.value, name, fix.value)
        : typeof fix.value === 'object' && atPointer(parsed.value, fix.pointer) !== undefined
          ? bracketed(source, parsed.spanOf(fix.pointer), fix.value)
          : null;
  if (says(inPlace)) return inPlace;
  const text = editDocument(source, content);
  return says(text) ? text : null;
}
