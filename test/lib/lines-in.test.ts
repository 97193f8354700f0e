import { expect, it } from 'vitest';
import { indexLines, linesIn } from '../../src/lib/line-index.js';

it('finds the lines of a text once, and anew when the text is another one', () => {
  const sources = new Map([['a.yaml', 'one\ntwo\n']]);
  const lines = linesIn(sources, 'a.yaml');
  expect(lines?.placeAt(4)).toEqual({ line: 2, column: 1 });
  expect(linesIn(sources, 'a.yaml')).toBe(lines);
  sources.set('a.yaml', 'one, two\n');
  expect(linesIn(sources, 'a.yaml')?.placeAt(4)).toEqual({ line: 1, column: 5 });
  expect(linesIn(sources, 'b.yaml')).toBeNull();
  expect(linesIn(new Map(), 'a.yaml')).toBeNull();
});

it.each([
  ['a\r\n\r\nb', ['a', '', 'b']],
  ['a\r\rb\n', ['a', '', 'b', '']],
  ['\n', ['', '']],
  ['', ['']],
])('the lines of %j have no break at their end', (text, expected) => {
  const lines = indexLines(text);
  expect(expected.map((_, index) => lines.lineText(index + 1))).toEqual(expected);
});
