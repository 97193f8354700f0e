/** Texts of objects that never change, by the object: for what is written again and again. */
export type KnownTexts = Pick<ReadonlyMap<object, string>, 'get'>;

const NOTHING_KNOWN: KnownTexts = { get: () => undefined };

/**
 * JSON text that is the same for equal values: members sorted by UTF-16 code units, no blanks (the
 * rule of RFC 8785). Digests are taken over this. Members whose value is `undefined` are left out,
 * as JSON.stringify does. An object that `known` has is written as it says. Throws a TypeError for
 * what JSON cannot hold (NaN, infinity, functions, bigint): a digest of it would lie.
 */
export function canonicalJson(value: unknown, known: KnownTexts = NOTHING_KNOWN): string {
  switch (typeof value) {
    case 'string':
      return quoteJson(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON form`);
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value)
        ? canonicalArray(value, known)
        : canonicalObject(value as Readonly<Record<string, unknown>>, known);
    default:
      throw new TypeError(`a ${typeof value} has no JSON form`);
  }
}

/** Printable ASCII without quote and backslash: what JSON writes as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** Up to here a look at the text is cheaper than the call. */
const SHORT_CHARS = 64;

/** A string as JSON text, the same as `JSON.stringify` gives. */
export function quoteJson(text: string): string {
  return text.length <= SHORT_CHARS && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

function canonicalArray(items: readonly unknown[], known: KnownTexts): string {
  let text = '';
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    text += `${at === 0 ? '' : ','}${canonicalJson(item === undefined ? null : item, known)}`;
  }
  return `[${text}]`;
}

/** One string grown in place: every event and every step passes here (docs/performance.md). */
function canonicalObject(value: Readonly<Record<string, unknown>>, known: KnownTexts): string {
  const knownText = known.get(value);
  if (knownText !== undefined) return knownText;
  if (isFlatInOrder(value)) return JSON.stringify(value);
  let text = '{';
  for (const name of sortedNames(value)) {
    const member = value[name];
    if (member !== undefined) text += (text === '{' ? '' : ',') + labelOf(name) + canonicalJson(member, known);
  }
  return `${text}}`;
}

/**
 * A plain record of texts, numbers and words whose names stand in their order: what JSON writes of
 * it is the canonical text, in one piece and in half the time.
 */
function isFlatInOrder(value: Readonly<Record<string, unknown>>): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  let before = '';
  for (const name in value) {
    if (name < before || !isScalar(value[name])) return false;
    before = name;
  }
  return true;
}

function isScalar(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    default:
      return value === null;
  }
}

/** Most names are those of kit's own records, and come again and again. */
const labels = new Map<string, string>();
const MAX_LABELS = 1024;

/** A name as it stands before its member. */
function labelOf(name: string): string {
  const known = labels.get(name);
  if (known !== undefined) return known;
  const label = `${quoteJson(name)}:`;
  if (labels.size < MAX_LABELS && name.length <= SHORT_CHARS) labels.set(name, label);
  return label;
}

/** Up to here names are put in their places by hand: `sort` copies what it sorts, twice. */
const FEW_NAMES = 24;

/** By UTF-16 code units, which is how texts compare. */
function sortedNames(value: Readonly<Record<string, unknown>>): readonly string[] {
  const names = Object.keys(value);
  if (names.length > FEW_NAMES) return names.sort();
  for (let at = 1; at < names.length; at++) {
    const name = names[at] as string; // within the bounds of the array, as are those below
    let place = at;
    for (; place > 0 && (names[place - 1] as string) > name; place--) names[place] = names[place - 1] as string;
    names[place] = name;
  }
  return names;
}
