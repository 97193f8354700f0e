/** What keys do, for `?`: those of an open item, then those of the list. */
export const HELP_LINES: readonly string[] = [
  'an open item',
  '  a approve   r reject   c request changes   t answer a question',
  '  space, page down, page up   a page on or back',
  '  up, down, home, end         a line, the beginning, the end',
  '  tab                         the next section',
  '  q, esc                      back to the list',
  'the list',
  '  enter                       open the item',
  '  up, down, j, k              move; page up, page down, home, end',
  '  g                           read the list again',
  '  q, esc                      leave',
  'a comment',
  '  enter send   ctrl-u clear   esc take it back',
];
