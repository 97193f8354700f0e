import { randomFrom, shuffledBy } from '../../../lib/seeded.js';
import type { CrashPoint } from '../../../view/doctor-report.js';

/**
 * Which points are tried: `share` of them, at least one, in the order of the seed, one of each name
 * first.
 */
export function choosePoints(
  points: readonly CrashPoint[],
  of: { readonly seed: number; readonly share: number },
): readonly CrashPoint[] {
  const order = oneOfEachFirst(shuffledBy(points, randomFrom(of.seed)));
  return order.slice(0, Math.max(1, Math.round(points.length * of.share))); // of none there is none
}

/** The same points, each name once before any name twice: a short look sees every kind of write. */
export function oneOfEachFirst(points: readonly CrashPoint[]): readonly CrashPoint[] {
  const first = points.filter((point, index) => points.findIndex((other) => other.name === point.name) === index);
  return [...first, ...points.filter((point) => !first.includes(point))];
}
