/** `a string`, `a list`, ...: what a value is, as YAML authors call it. */
export function kindOfValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'a string';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'a boolean';
    default:
      return 'a mapping';
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  object: 'a mapping',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

/** `a`, `a or b`, `a, b or c`. */
export function anyOfWords(words: readonly string[], joint = 'or'): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`;
}

export const typeWords = (type: unknown): string =>
  anyOfWords((Array.isArray(type) ? type : [type]).map((name) => TYPE_WORDS[String(name)] ?? String(name)));

/** `n entry` / `n entries`. */
export const count = (amount: number, one: string, many: string): string => `${amount} ${amount === 1 ? one : many}`;

const decode = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/**
 * How a sentence names the value at a pointer: the last key, with the index of an item: `argv[0]`.
 */
export function nameAt(pointer: string): string {
  const parts = pointer.split('/').slice(1).map(decode);
  const last = parts.at(-1);
  if (last === undefined) return 'the document';
  if (!/^\d+$/.test(last)) return `\`${last}\``;
  const list = parts.slice(0, -1).findLast((part) => !/^\d+$/.test(part));
  return list === undefined ? `item ${last}` : `\`${list}[${last}]\``;
}

const MAX_SHOWN_CHARS = 60;

/** A value inside a sentence: short ones as they stand, long ones cut. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const flat = (text ?? 'nothing').replaceAll(/\s+/g, ' ');
  return `\`${flat.length > MAX_SHOWN_CHARS ? `${flat.slice(0, MAX_SHOWN_CHARS - 3)}...` : flat}\``;
}
