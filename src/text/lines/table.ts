import type { Tone } from '../../view/lines/tone.js';
import { createPaint } from './paint.js';

/** A column of a table, and what stands in it for a row. */
export interface Column<T> {
  readonly title: string;
  /** Text that `oneLine` has already cleaned. */
  readonly of: (row: T) => string;
  /** What the text means. */
  readonly tone?: Tone | ((row: T) => Tone);
  readonly align?: 'left' | 'right';
  /** May be cut with an ellipsis where the terminal is too narrow. */
  readonly canShrink?: boolean;
  /** Left out where cutting is not enough: 1 goes first. Without it the column always stays. */
  readonly dropFirst?: number;
}

export interface TableOptions {
  readonly color: boolean;
  /**
   * Columns of the terminal; null = no terminal, and nothing is ever cut
   * (docs/design/decisions.md#terminal).
   */
  readonly width: number | null;
}

const GAP = '  ';
const NARROWEST = 8;

/**
 * Aligned columns under their titles. Columns whose cells are all empty are left out; on a narrow
 * terminal others too.
 */
export function table<T>(columns: readonly Column<T>[], rows: readonly T[], options: TableOptions): readonly string[] {
  const filled = columns.flatMap(({ title, of, tone = 'plain', align = 'left', canShrink = false, dropFirst }) => {
    const texts = rows.map(of);
    const width = Math.max(...texts.map(({ length }) => length), 0);
    const tones = rows.map((row) => (typeof tone === 'string' ? tone : tone(row)));
    return width === 0
      ? []
      : [{ title, texts, tones, align, canShrink, dropFirst, width: Math.max(width, title.length) }];
  });
  const kept = droppedTo(filled, options.width);
  const widths = fitted(kept, options.width);
  const paint = createPaint(options.color);
  const line = (cellOf: (column: Sized) => readonly [text: string, tone: Tone]): string =>
    kept
      .map((column, place) => {
        const [whole, tone] = cellOf(column);
        const width = widths[place] ?? 0;
        const text = cut(whole, width);
        const space = ' '.repeat(Math.max(0, width - text.length));
        const painted = paint(tone, text);
        return column.align === 'right' ? `${space}${painted}` : `${painted}${space}`;
      })
      .join(GAP)
      .trimEnd();
  return [
    line(({ title }) => [title, 'dim']),
    ...rows.map((_row, at) => line(({ texts, tones }) => [texts[at] ?? '', tones[at] ?? 'plain'])),
  ];
}

export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1)).toWellFormed()}…`;

/** A column that is shown, with its cells. */
interface Sized extends Required<Pick<Column<never>, 'title' | 'align' | 'canShrink'>> {
  readonly texts: readonly string[];
  readonly tones: readonly Tone[];
  readonly dropFirst: number | undefined;
  readonly width: number;
}

/** The columns that fit once those that may shrink are as narrow as they get. */
function droppedTo(columns: readonly Sized[], width: number | null): readonly Sized[] {
  if (width === null) return columns;
  const narrowest = columns.reduce(
    (sum, one) => sum + (one.canShrink ? Math.min(one.width, NARROWEST) : one.width) + GAP.length,
    -GAP.length,
  );
  const order = columns.flatMap(({ dropFirst }) => dropFirst ?? []);
  if (narrowest <= width || order.length === 0) return columns;
  const first = Math.min(...order);
  return droppedTo(
    columns.filter(({ dropFirst }) => dropFirst !== first),
    width,
  );
}

/** Takes what is missing from the widest column that may shrink, as long as there is one. */
function fitted(
  columns: readonly { readonly canShrink: boolean; readonly width: number }[],
  width: number | null,
): readonly number[] {
  const widths = columns.map((column) => column.width);
  if (width === null) return widths;
  let excess = widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1) - width;
  while (excess > 0) {
    const widest = widths.reduce(
      (best, one, index) => (columns[index]?.canShrink === true && one > (widths[best] ?? 0) ? index : best),
      -1,
    );
    const now = widths[widest];
    if (now === undefined || now <= NARROWEST) break;
    const second = Math.max(
      NARROWEST,
      ...widths.filter((one, index) => index !== widest && columns[index]?.canShrink === true && one < now),
    );
    const taken = Math.min(excess, now - Math.min(second, now - 1));
    widths[widest] = now - taken;
    excess -= taken;
  }
  return widths;
}
