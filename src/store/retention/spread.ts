/** Keeps some of many items, spread evenly over all of them, while they come. */
export interface Spread<T> {
  add(item: T): void;
  /** In their order; all of them while there are no more than `least`. */
  kept(): readonly T[];
}

/** Between `least` and twice as many are kept, of more than that many. */
export function createSpread<T>(least: number): Spread<T> {
  let kept: T[] = [];
  let every = 1;
  let seen = 0;
  return {
    add(item) {
      if (seen++ % every !== 0) return;
      kept.push(item);
      if (kept.length < 2 * least) return;
      kept = kept.filter((_, n) => n % 2 === 0);
      every *= 2;
    },
    kept: () => kept,
  };
}

/** The items in so many parts, each of which is spread over all of them. */
export const interleaved = <T>(items: readonly T[], parts: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.min(parts, items.length) }, (_, part) => items.filter((__, n) => n % parts === part));
