import { useEffect, useMemo, useState } from 'react';
import { useKeys } from './keys.js';

/**
 * The row of a list where one is: `j` and `k` move, Enter opens. Rows have the ids `row-0`,
 * `row-1` and so on.
 */
export function useRows<T>(rows: readonly T[], open: (row: T) => void): number {
  const [place, setPlace] = useState(0);
  const at = Math.min(place, Math.max(0, rows.length - 1));
  useEffect(() => {
    // Nothing is returned: browsers of today answer a promise here, which is not a clean-up.
    void document.getElementById(`row-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  useKeys(
    useMemo(() => {
      const next = (): void => setPlace(Math.min(at + 1, rows.length - 1));
      const previous = (): void => setPlace(Math.max(at - 1, 0));
      return {
        j: next,
        k: previous,
        ArrowDown: next,
        ArrowUp: previous,
        Enter: () => {
          const row = rows[at];
          if (row !== undefined) open(row);
        },
      };
    }, [at, rows, open]),
  );
  return at;
}
