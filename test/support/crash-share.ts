import { randomFrom, shuffledBy } from '../../src/lib/seeded.js';

export { randomFrom };

/**
 * `npm run crash` runs everything at full length; `npm run test:long` runs a share of each long
 * check.
 */
export const isFull = (): boolean => process.env.KIT_TEST_CRASH === 'full';

/** Which share: the same number gives the same choice. Printed by every check that chooses. */
export const seed = (): number => Number(process.env.KIT_TEST_SEED ?? '1');

/** The same items in an order that the seed decides. */
export const shuffled = <T>(items: readonly T[]): readonly T[] => shuffledBy(items, randomFrom(seed()));
