import type { Shares, TableShare } from './dialect.js';

const NONE: TableShare = { rows: 0, bytes: 0 };

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

export function addShares(a: Shares, b: Shares): Shares {
  return Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((table) => {
      const [one, other] = [a[table] ?? NONE, b[table] ?? NONE];
      return [table, { rows: one.rows + other.rows, bytes: one.bytes + other.bytes }];
    }),
  );
}

/** What so many times as many runs would have. */
export const scaleShares = (shares: Shares, times: number): Shares =>
  Object.fromEntries(
    Object.entries(shares).map(([table, { rows, bytes }]) => [
      table,
      { rows: Math.round(rows * times), bytes: Math.round(bytes * times) },
    ]),
  );

export const rowsOf = (shares: Shares): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(shares).map(([table, { rows }]) => [table, rows]));

export function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
