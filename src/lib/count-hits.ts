/** Counts how often each name was hit, and tells `onHit` which time it is, from 1. */
export function countHits(onHit: (name: string, nth: number) => void): { hit(name: string): void } {
  const counts = new Map<string, number>();
  return {
    hit: (name) => {
      const nth = (counts.get(name) ?? 0) + 1;
      counts.set(name, nth);
      onHit(name, nth);
    },
  };
}
