import { createHash } from 'node:crypto';
import type { Mutation } from './candidates.js';

/**
 * `count` of them, in the order of the text; the same seed gives the same choice. What is chosen
 * depends on the text of a place and not on where it stands: a change of one file leaves the
 * choice in all others as it was, and a share that falls is not another draw.
 */
export function sampleOf(all: readonly Mutation[], count: number, seed: number): readonly Mutation[] {
  const seen = new Map<string, number>();
  const ranked = all.map((mutation, at) => {
    const place = [mutation.file, mutation.before, mutation.after].join('\0');
    const nth = seen.get(place) ?? 0;
    seen.set(place, nth + 1);
    return { mutation, at, rank: createHash('sha256').update(`${seed}\0${nth}\0${place}`).digest('hex') };
  });
  return ranked
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .toSorted((a, b) => a.at - b.at)
    .map(({ mutation }) => mutation);
}
