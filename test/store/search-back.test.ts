import { expect, it } from 'vitest';
import type { EventRecord } from '../../src/store/event-row.js';
import { type BackRange, searchBack } from '../../src/store/search-back.js';

interface Asked {
  readonly limit?: number;
  /** Of the search; absent = it has no end. */
  readonly withinMs?: number;
  /** What one position costs. */
  readonly msEach?: number;
}

/** A log of 10,000 positions of which `fits` match, read on a clock of its own. */
function searched(fits: (pos: number) => boolean, { limit = 3, withinMs, msEach = 0 }: Asked = {}) {
  const ranges: BackRange[] = [];
  let nowMs = 0;
  const search = searchBack({
    from: 10_000,
    slice: 1_600,
    limit,
    msLeft: () => (withinMs ?? Number.POSITIVE_INFINITY) - nowMs,
    nextTurn: async () => {},
    read: async (range) => {
      ranges.push(range);
      nowMs += (range.upTo - range.after) * msEach;
      const all = Array.from({ length: range.upTo - range.after }, (_, n) => range.upTo - n);
      // Only the position of a record is looked at.
      return all
        .filter(fits)
        .slice(0, range.limit)
        .map((pos) => ({ pos }) as EventRecord);
    },
  });
  return { search, ranges, spentMs: () => nowMs };
}

const places = ({ found }: { readonly found: readonly EventRecord[] }) => found.map(({ pos }) => pos);
const sizes = (ranges: readonly BackRange[]) => ranges.map(({ after, upTo }) => upTo - after);

it('reads slice by slice until there is a page, and names what nobody looked at', async () => {
  const { search, ranges } = searched((pos) => pos % 3_000 === 0);
  const result = await search;

  expect(places(result)).toEqual([9_000, 6_000, 3_000]);
  expect(result.left).toBe(2_999);
  expect(sizes(ranges)).toEqual([200, 400, 800, 1_600, 1_600, 1_600, 1_600]);
  expect(ranges.map(({ limit }) => limit)).toEqual([3, 3, 3, 2, 2, 1, 1]);
  expect(ranges.every(({ after }, at) => after === (ranges[at + 1]?.upTo ?? after))).toBe(true);
});

it('ends where it is when no time is left, after one read at least', async () => {
  const { search, ranges } = searched((pos) => pos === 1, { withinMs: 0 });

  expect([places(await search), (await search).left, ranges.length]).toEqual([[], 9_800, 1]);
});

it.each([0.01, 0.05, 0.25, 0.7])('ends in time where a position takes %f ms', async (msEach) => {
  const { search, ranges, spentMs } = searched((pos) => pos === 1, { withinMs: 150, msEach });
  const { left } = await search;

  expect(spentMs()).toBeLessThanOrEqual(150);
  expect(spentMs()).toBeGreaterThan(75);
  expect(left).toBe(10_000 - sizes(ranges).reduce((sum, size) => sum + size, 0));
});

it('leaves nothing when everything was looked at', async () => {
  const result = await searched((pos) => pos === 1).search;
  expect([places(result), result.left]).toEqual([[1], 0]);
  expect((await searched((pos) => pos <= 1, { limit: 1 }).search).left).toBe(0);
});
