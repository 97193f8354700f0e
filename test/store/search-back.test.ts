import { expect, it } from 'vitest';
import type { EventRecord } from '../../src/store/event-row.js';
import { type BackRange, searchBack } from '../../src/store/search-back.js';

/** A log of 100 positions of which `fits` match. */
function searched(
  fits: (pos: number) => boolean,
  over: { readonly isOver?: () => boolean; readonly limit?: number } = {},
) {
  const ranges: BackRange[] = [];
  const search = searchBack({
    from: 100,
    slice: 10,
    limit: over.limit ?? 3,
    isOver: over.isOver ?? (() => false),
    nextTurn: async () => {},
    read: async (range) => {
      ranges.push(range);
      const all = Array.from({ length: range.upTo - range.after }, (_, n) => range.upTo - n);
      // Only the position of a record is looked at.
      return all
        .filter(fits)
        .slice(0, range.limit)
        .map((pos) => ({ pos }) as EventRecord);
    },
  });
  return { search, ranges };
}

const places = ({ found }: { readonly found: readonly EventRecord[] }) => found.map(({ pos }) => pos);

it('reads slice by slice until there is a page, and names what nobody looked at', async () => {
  const { search, ranges } = searched((pos) => pos % 30 === 0);
  const result = await search;

  expect(places(result)).toEqual([90, 60, 30]);
  expect(result.left).toBe(29);
  expect(ranges.every(({ after, upTo }) => upTo - after === 10)).toBe(true);
  expect(ranges.map(({ limit }) => limit)).toEqual([3, 3, 2, 2, 2, 1, 1, 1]);
});

it('ends where it is when it is over, and at once', async () => {
  const { search, ranges } = searched((pos) => pos === 1, { isOver: () => ranges.length >= 2 });
  const result = await search;

  expect([places(result), result.left, ranges.length]).toEqual([[], 80, 2]);
});

it('leaves nothing when everything was looked at', async () => {
  const result = await searched((pos) => pos === 1).search;
  expect([places(result), result.left]).toEqual([[1], 0]);
  expect((await searched((pos) => pos <= 1, { limit: 1 }).search).left).toBe(0);
});
