import stringWidth from 'string-width';
import { manyLines } from '../../view/lines/words.js';

/**
 * Foreign text as lines of at most `columns` cells, broken after a space where there is one; wide
 * characters count two, and none is cut in half.
 */
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
    while (row !== '' && used + cells > columns) {
      const word = wordStart(row);
      rows.push(row.slice(0, word));
      row = row.slice(word);
      used = row === '' ? 0 : stringWidth(row);
    }
    row += segment;
    used += cells;
  }
  return [...rows, row];
}

/**
 * Where the last word of a full row begins; its end for a word that fills most of the row. Nothing
 * is dropped: the space stays.
 */
function wordStart(row: string): number {
  const space = row.lastIndexOf(' ') + 1;
  return space > row.length / 2 ? space : row.length;
}

/** One line of at most `columns` cells; what does not fit is cut with an ellipsis. */
export function cutLine(line: string, columns: number): string {
  if (line.length * 2 <= columns || stringWidth(line) <= columns) return line;
  let row = '';
  let used = 1;
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    used += stringWidth(segment);
    if (used > columns) break;
    row += segment;
  }
  return `${row}…`;
}
