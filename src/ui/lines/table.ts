import type { Paint, Tone } from './paint.js';

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
}

export interface TableOptions {
  readonly paint: Paint;
  /** Columns of the terminal; null = no terminal, and nothing is ever cut (gaps K22). */
  readonly width: number | null;
}

const GAP = '  ';
const NARROWEST = 6;

/** Aligned columns under their titles. Columns whose cells are all empty are left out. */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], options: TableOptions): readonly string[] {
  const kept = columns.flatMap((column, index) => (rows.some((row) => (row[index]?.text ?? '') !== '') ? [{ column, index }] : []));
  const widths = fitted(
    kept.map(({ column, index }) => ({
      canShrink: column.canShrink === true,
      width: Math.max(column.title.length, ...rows.map((row) => row[index]?.text.length ?? 0)),
    })),
    options.width,
  );
  const line = (cells: readonly Cell[]): string =>
    cells
      .map((cell, place) => padded(cell, { width: widths[place] ?? 0, align: kept[place]?.column.align ?? 'left', paint: options.paint }))
      .join(GAP)
      .trimEnd();
  const head = line(kept.map(({ column }) => ({ text: column.title, tone: 'dim' as const })));
  return [head, ...rows.map((row) => line(kept.map(({ index }) => row[index] ?? { text: '' })))];
}

function padded(cell: Cell, place: { readonly width: number; readonly align: 'left' | 'right'; readonly paint: Paint }): string {
  const text = cut(cell.text, place.width);
  const space = ' '.repeat(Math.max(0, place.width - text.length));
  const painted = place.paint(cell.tone ?? 'plain', text);
  return place.align === 'right' ? `${space}${painted}` : `${painted}${space}`;
}

export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1)).toWellFormed()}…`;

/** Takes what is missing from the widest column that may shrink, as long as there is one. */
function fitted(columns: readonly { readonly canShrink: boolean; readonly width: number }[], width: number | null): readonly number[] {
  const widths = columns.map((column) => column.width);
  if (width === null) return widths;
  let excess = widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1) - width;
  while (excess > 0) {
    const widest = widths.reduce((best, one, index) => (columns[index]?.canShrink === true && one > (widths[best] ?? 0) ? index : best), -1);
    const now = widths[widest];
    if (now === undefined || now <= NARROWEST) break;
    const second = Math.max(NARROWEST, ...widths.filter((one, index) => index !== widest && columns[index]?.canShrink === true && one < now));
    const taken = Math.min(excess, now - Math.min(second, now - 1));
    widths[widest] = now - taken;
    excess -= taken;
  }
  return widths;
}
