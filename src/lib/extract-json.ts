import { isDeeper } from './is-deeper.js';

/**
 * What a tolerant reading of model text found. `how` says how far the text was from being JSON
 * alone.
 */
export type ExtractedJson =
  | { readonly found: true; readonly value: unknown; readonly how: 'whole' | 'fence' | 'embedded' }
  | { readonly found: false };

/** Text with thousands of stray braces must not cost a scan each. */
const MAX_STARTS = 64;

/**
 * Reads JSON out of text that a model wrote: the whole text, else the content of a code fence, else
 * the outermost object that stands between other words, else the outermost array. The first that
 * parses wins.
 */
export function extractJson(text: string): ExtractedJson {
  const whole = parse(text.trim());
  if (whole !== NOTHING) return { found: true, value: whole, how: 'whole' };
  for (const body of fences(text)) {
    const value = parse(body);
    if (value !== NOTHING) return { found: true, value, how: 'fence' };
  }
  for (const open of ['{', '['] as const) {
    const value = embedded(text, open);
    if (value !== NOTHING) return { found: true, value, how: 'embedded' };
  }
  return { found: false };
}

const NOTHING = Symbol('nothing');

/** Prose is told by how it begins: an error with a stack costs more than all else here. */
const MAY_BE_JSON = /^(?:[{["\d-]|(?:true|false|null)$)/;

/** `text` has no blanks around it. */
function parse(text: string): unknown {
  if (!MAY_BE_JSON.test(text)) return NOTHING;
  try {
    const value: unknown = JSON.parse(text);
    // What is nested without end is not an answer, and whoever walks through it would run out of
    // stack.
    return isDeeper(value) ? NOTHING : value;
  } catch {
    return NOTHING;
  }
}

function* fences(text: string): Generator<string> {
  const parts = text.split('```');
  for (let index = 1; index < parts.length; index += 2) {
    const body = parts[index] ?? '';
    const firstLineEnd = body.indexOf('\n');
    if (firstLineEnd >= 0) yield body.slice(firstLineEnd + 1).trim();
    yield body.replace(/^[a-z0-9]+\s/i, '').trim();
  }
}

function embedded(text: string, open: '{' | '['): unknown {
  let from = text.indexOf(open);
  for (let starts = 0; from >= 0 && starts < MAX_STARTS; starts += 1) {
    const end = balancedEnd(text, from);
    const value = end < 0 ? NOTHING : parse(text.slice(from, end));
    if (value !== NOTHING) return value;
    from = text.indexOf(open, from + 1);
  }
  return NOTHING;
}

/**
 * Offset after the bracket that closes the one at `from`, or -1. Brackets inside JSON strings do
 * not count.
 */
function balancedEnd(text: string, from: number): number {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}
