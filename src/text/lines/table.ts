import type { Tone } from '../../view/lines/tone.js';
import type { Paint } from './paint.js';

/** A cell: text that `oneLine` has already cleaned, and what it means. */
export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
}

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** May be cut with an ellipsis where the terminal is too narrow. */
  readonly canShrink?: boolean;
  /** Left out where cutting is not enough: 1 goes first. Without it the column always stays. */
  readonly dropFirst?: number;
}

export interface TableOptions {
  readonly paint: Paint;
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
export function table(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  options: TableOptions,
): readonly string[] {
  const filled = columns.flatMap((column, index) => {
    const width = Math.max(...rows.map((row) => row[index]?.text.length ?? 0), 0);
    return width === 0
      ? []
      : [{ column, index, canShrink: column.canShrink === true, width: Math.max(width, column.title.length) }];
  });
  const kept = droppedTo(filled, options.width);
  const widths = fitted(kept, options.width);
  const line = (cells: readonly Cell[]): string =>
    cells
      .map((cell, place) =>
        padded(cell, { width: widths[place] ?? 0, align: kept[place]?.column.align ?? 'left', paint: options.paint }),
      )
      .join(GAP)
      .trimEnd();
  const head = line(kept.map(({ column }) => ({ text: column.title, tone: 'dim' as const })));
  return [head, ...rows.map((row) => line(kept.map(({ index }) => row[index] ?? { text: '' })))];
}

function padded(
  cell: Cell,
  place: { readonly width: number; readonly align: 'left' | 'right'; readonly paint: Paint },
): string {
  const text = cut(cell.text, place.width);
  const space = ' '.repeat(Math.max(0, place.width - text.length));
  const painted = place.paint(cell.tone ?? 'plain', text);
  return place.align === 'right' ? `${space}${painted}` : `${painted}${space}`;
}

export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1)).toWellFormed()}…`;

type Sized = { readonly column: Column; readonly index: number; readonly canShrink: boolean; readonly width: number };

/** The columns that fit once those that may shrink are as narrow as they get. */
function droppedTo(columns: readonly Sized[], width: number | null): readonly Sized[] {
  if (width === null) return columns;
  const narrowest = columns.reduce(
    (sum, one) => sum + (one.canShrink ? Math.min(one.width, NARROWEST) : one.width) + GAP.length,
    -GAP.length,
  );
  const order = columns.flatMap(({ column }) => column.dropFirst ?? []);
  if (narrowest <= width || order.length === 0) return columns;
  const first = Math.min(...order);
  return droppedTo(
    columns.filter(({ column }) => column.dropFirst !== first),
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
