/** What keys of `kit top` do, for `?`. */
export const TOP_HELP: readonly string[] = [
  'the page, which is read again every second',
  '  up, down, j, k       choose a run or a gate; where there is none, a line',
  '  page up, page down   a page on or back; home, end',
  '  enter                why the chosen run or gate is in its state, and the lines that go on',
  '  s                    stop the chosen run, or that of the gate, after a question',
  '  /                    show only rows that have these words; enter keeps them, esc drops them',
  '  q, esc               leave',
  'what enter has opened',
  '  up, down, j, k       a line; page up, page down, home, end',
  '  q, esc               back to the page',
];
