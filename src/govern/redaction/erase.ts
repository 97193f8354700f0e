import type { Json } from '../../domain/json.js';
import { MIN_SECRET_CHARS } from '../../lib/secret-forms.js';

/** What stands where a path of the skill's policy matched (docs/design/execution.md#redaction). */
export const REDACTED = '[REDACTED]';

/**
 * Removes values from wherever they stand in a JSON value: inside strings (as they are,
 * JSON-escaped, percent-encoded), as numbers, in member names. One regular expression for all
 * values: a path such as `$..*` can name thousands.
 */
export function eraser(values: readonly string[]): (value: Json) => Json {
  const texts = [...new Set(values)].filter((text) => text.trim().length >= MIN_SECRET_CHARS && text !== REDACTED);
  if (texts.length === 0) return (value) => value;
  const forms = [
    ...new Set(
      texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed())]),
    ),
  ];
  const pattern = new RegExp(
    forms
      .sort((a, b) => b.length - a.length)
      .map(escapePattern)
      .join('|'),
    'g',
  );
  const numbers = new Set(texts);
  return (value) => eraseIn(value, pattern, numbers);
}

function eraseIn(value: Json, pattern: RegExp, numbers: ReadonlySet<string>): Json {
  if (typeof value === 'string') return value.replace(pattern, REDACTED);
  if (typeof value === 'number') return numbers.has(String(value)) ? REDACTED : value;
  if (Array.isArray(value)) return value.map((item) => eraseIn(item, pattern, numbers));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.replace(pattern, REDACTED), eraseIn(member, pattern, numbers)]),
  );
}

/** Every string replaced, the shape kept: for a record whose policy cannot be read. */
export function eraseAll(value: Json): Json {
  if (typeof value === 'string') return REDACTED;
  if (Array.isArray(value)) return value.map(eraseAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, eraseAll(member)]));
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
