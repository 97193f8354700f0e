import { createHash } from 'node:crypto';
import type { Column, Row } from './tables.js';

/** Rows and SHA-256 of a table, taken as the rows go by. */
export interface TableDigest {
  readonly rows: number;
  readonly digest: string;
}

/**
 * The same text for the same row in both stores: the values in the order of the columns of the
 * target, as JSON.
 */
export function createTableDigest(columns: readonly Pick<Column, 'name'>[]): {
  add(row: Row): void;
  done(): TableDigest;
} {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    add(row) {
      rows += 1;
      hash.update(`${JSON.stringify(columns.map(({ name }) => row[name] ?? null))}\n`);
    },
    done: () => ({ rows, digest: hash.digest('hex') }),
  };
}

export const bytesOfRow = (row: Row): number =>
  Object.values(row).reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? Buffer.byteLength(cell) : 8), 0);
