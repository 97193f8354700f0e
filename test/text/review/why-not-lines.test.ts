import { expect, it } from 'vitest';
import type { ListedPage } from '../../../src/app/review/review-app.js';
import { whyNotLines } from '../../../src/text/review/why-not-lines.js';

const paint = (_tone: string, text: string): string => text;

/** A list of items, each with its status and why whoever looks cannot decide it. */
const pageOf = (rows: readonly (readonly [status: string, whyNot: string | null])[]) =>
  ({
    items: rows.map(([status], at) => ({ id: `i${at}`, status, stale: false, withdrawn: false })),
    asked: new Map(rows.map(([, whyNot], at) => [`i${at}`, { you: { canDecide: whyNot === null, whyNot } }])),
  }) as unknown as ListedPage;

it('says each reason once, of what waits', () => {
  const page = pageOf([
    ['pending', '"ada" submitted the run'],
    ['pending', '"ada" is not a member of the role "ops"'],
    ['pending', '"ada" submitted the run'],
    ['approved', 'it is approved already'],
    ['pending', null],
  ]);
  expect(whyNotLines(page, paint)).toEqual([
    'you cannot decide 2 items: "ada" submitted the run',
    'you cannot decide 1 item: "ada" is not a member of the role "ops"',
  ]);
});

it('says where the others stand, of many reasons, and prints no control of a terminal', () => {
  const many = pageOf(Array.from({ length: 9 }, (_, at) => ['pending', `reason ${at}\u001b[2J`] as const));
  const lines = whyNotLines(many, paint);
  expect(lines).toHaveLength(6);
  expect(lines.at(-1)).toBe('for more of them: kit review show ITEM');
  expect(lines.join('')).not.toContain('\u001b');
});
