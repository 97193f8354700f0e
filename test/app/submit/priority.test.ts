import { expect, it } from 'vitest';
import { priorityOf } from '../../../src/app/submit/job-row.js';

it.each([
  ['7', 7, null],
  ['-3', -3, null],
  ['+5', 5, null],
  [' 7 ', 7, null],
  ['2147483647', 2147483647, null],
  ['2147483648', 2147483647, /counts as 2147483647/],
  ['-99999999999999999999', -2147483648, /counts as -2147483648/],
  ['2.7', 0, /no whole number/],
  ['junk', 0, /no whole number/],
  ['', 0, /no whole number/],
])('the label priority %j counts as %i', (text, value, warning) => {
  const priority = priorityOf({ priority: text });

  expect(priority.value).toBe(value);
  expect(priority.warning).toEqual(warning === null ? null : expect.stringMatching(warning));
});

it('a run without the label has priority 0, also where an object brings a member of that name', () => {
  expect(priorityOf({})).toEqual({ value: 0, warning: null });
});
