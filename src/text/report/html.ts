import { manyLines, oneLine } from '../../view/lines/words.js';

/**
 * Markup that this room has written. What comes from a run becomes `Html` through `text` and
 * `block` alone.
 */
export interface Html {
  readonly markup: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (plain: string): string => plain.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

/**
 * Text of a run in one line, for elements and quoted attributes: escaped, without control
 * characters and marks that reorder text.
 */
export const text = (plain: string, max = 300): Html => ({ markup: escaped(oneLine(plain, max)) });

/**
 * Text of a run with its line breaks, for `<pre>`. Longer than `max` characters, it is cut and says
 * so.
 */
export function block(plain: string, max: number): Html {
  const cut = plain.length <= max ? '' : `\n… ${plain.length - max} more characters`;
  return { markup: `${escaped(manyLines(plain.slice(0, max).toWellFormed()))}${cut}` };
}

/** As many rows as fit, and how many did not. */
export interface Fitted {
  readonly rows: Html;
  readonly leftOut: number;
}

/**
 * Rows in order until they have `maxBytes` of markup together: a page of a run of any length stays
 * one that a browser opens. What does not fit is never made.
 */
export function fitted<T>(items: readonly T[], make: (item: T) => Html, maxBytes: number): Fitted {
  let markup = '';
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    const row = make(item).markup;
    bytes += Buffer.byteLength(row);
    if (bytes > maxBytes) return { rows: { markup }, leftOut: items.length - index };
    markup += row;
  }
  return { rows: { markup }, leftOut: 0 };
}

/** Says in a sentence what `fitted` left out; null = nothing. */
export const leftOutNote = (leftOut: number, sentence: string): Html | null =>
  leftOut === 0 ? null : html`<p class="warn">${text(sentence)}</p>`;

type Part = Html | readonly Html[] | number | null;

/**
 * Markup with parts in it: only numbers and `Html` fit, so that no text of a run gets in unescaped.
 * null = nothing.
 */
export function html(literal: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let markup = literal[0] ?? '';
  parts.forEach((part, index) => {
    markup += markupOf(part) + (literal[index + 1] ?? '');
  });
  return { markup };
}

function markupOf(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'number') return String(part);
  if ('markup' in part) return part.markup;
  let all = '';
  for (const one of part) all += one.markup;
  return all;
}
