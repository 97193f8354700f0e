import { expect, it } from 'vitest';
import { wholeLine } from '../../src/text/diagnostics/excerpt.js';

it.each([
  ['a  b', 'a  b'],
  ['a \n  b', 'a b'],
  ['a\r\n \t\n\rb ', 'a b '],
  ['\na\n', ' a '],
  [' \n ', ' '],
  ['', ''],
  ['a\u001b[2J\tb', 'a\ufffd[2J    b'],
])('%j is the line %j', (text, line) => expect(wholeLine(text)).toBe(line));

it.each([
  ['blanks without a break', `${' '.repeat(2_000_000)}x`],
  ['blank lines', `a${' \n'.repeat(1_000_000)}x`],
  ['short lines', 'a \n'.repeat(500_000)],
])('a long text of %s is read once', (_, text) => expect(wholeLine(text)).toMatch(/x$|a $/));
