/**
 * JSON text that is the same for equal values: members sorted by UTF-16 code units, no blanks (the rule of RFC 8785).
 * Digests are taken over this. Members whose value is `undefined` are left out, as JSON.stringify does.
 * Throws a TypeError for what JSON cannot hold (NaN, infinity, functions, bigint): a digest of it would lie.
 */
export function canonicalJson(value: unknown): string {
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
      return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value as Readonly<Record<string, unknown>>);
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

function canonicalArray(items: readonly unknown[]): string {
  let text = '';
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    text += `${at === 0 ? '' : ','}${canonicalJson(item === undefined ? null : item)}`;
  }
  return `[${text}]`;
}

/** One string grown in place: every event and every step passes here (docs/performance.md). */
function canonicalObject(value: Readonly<Record<string, unknown>>): string {
  let text = '';
  // Without a comparator, sort goes by UTF-16 code units.
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member !== undefined) text += `${text === '' ? '' : ','}${quoteJson(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}
