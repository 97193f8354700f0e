import stringWidth from 'string-width';
import { manyLines } from '../lines/words.js';

/** Foreign text as lines of at most `columns` cells; wide characters count two, and none is cut in half. */
export function wrapLines(text: string, columns: number): readonly string[] {
  const width = Math.max(1, columns);
  return manyLines(text)
    .split('\n')
    .flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, columns: number): readonly string[] {
  // Every character is at most two cells: a short line needs no measuring.
  if (line.length * 2 <= columns || stringWidth(line) <= columns) return [line];
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    const cells = stringWidth(segment);
    if (used + cells > columns && row !== '') {
      rows.push(row);
      row = '';
      used = 0;
    }
    row += segment;
    used += cells;
  }
  return [...rows, row];
}

/** One line of at most `columns` cells; what does not fit is cut with an ellipsis. */
export function cutLine(line: string, columns: number): string {
  const [row = '', ...more] = wrapLine(line, Math.max(1, columns));
  if (more.length === 0) return row;
  return `${wrapLine(line, Math.max(1, columns - 1))[0] ?? ''}…`;
}
