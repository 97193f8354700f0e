import { keepNewest } from '../../lib/keep-newest.js';

/** Remembers the texts that were asked about last, at most `size` of them. */
export function createRecent(size: number): { seen(text: string): boolean } {
  const known = new Map<string, true>();
  return {
    /** Whether it was asked about lately; from now on it was. */
    seen(text) {
      const wasThere = known.has(text);
      keepNewest(known, size, [text, true]);
      return wasThere;
    },
  };
}
