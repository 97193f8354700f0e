/** `npm run crash` runs everything at full length; the test command runs a share of each long check. */
export const isFull = (): boolean => process.env.KIT_TEST_CRASH === 'full';

/** Which share: the same number gives the same choice. Printed by every check that chooses. */
export const seed = (): number => Number(process.env.KIT_TEST_SEED ?? '1');

/** A small generator of numbers in [0, 1), the same for the same seed. */
export function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** The same items in an order that the seed decides. */
export function shuffled<T>(items: readonly T[]): readonly T[] {
  const random = randomFrom(seed());
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
