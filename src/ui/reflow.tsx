import { renderToString, Text } from 'ink';
import type { ReactNode } from 'react';

/**
 * How many rows a drawn frame takes after the terminal became narrower: nearly every terminal then
 * breaks the rows that no longer fit, and who wants to erase the frame has to know how many there
 * are now. Ink counts the rows as they were drawn.
 */
export function rowsAfterResize(
  drawn: ReactNode,
  size: { readonly fromColumns: number; readonly toColumns: number },
): number {
  return linesOf(drawn, size.fromColumns).reduce(
    (rows, line) => rows + (line === '' ? 1 : linesOf(<Text wrap="hard">{line}</Text>, size.toColumns).length),
    0,
  );
}

const linesOf = (node: ReactNode, columns: number): readonly string[] => renderToString(node, { columns }).split('\n');
