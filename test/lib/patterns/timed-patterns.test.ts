import { RE2JS } from 're2js';
import { expect, it, test } from 'vitest';
import { isTimedPattern, linearPattern, timedPatterns } from '../../../src/lib/patterns/linear-pattern.js';

it.each([
  '^a+$',
  '^(?:a|b){1,64}$',
  '[a-z]{1000}',
  '[a-z]{1001}',
  'a{2,1001}',
  'a{5000,}',
  '(a)\\1',
  '(?<n>a)\\k<n>',
  '(?<n>a)b',
  '^(?=.*[0-9]).+$',
  'a(?!b)',
  '(?<=a)b',
  '(?<!a)b',
  '\\\\1',
  '[{9999}]',
  '[\\d{]9999}?',
  '\\p{Lu}+',
  '\\u{1f600}',
  '\\ud83d\\ude00',
  '[^]',
  '\\S[\\s]',
  '[\\S]',
  '\\cA',
])('the warning agrees with the engine about %s', (source) => {
  let asked: string | null;
  try {
    asked = linearPattern(source, RE2JS) === null ? 'timed' : 'linear';
  } catch {
    asked = null; // no pattern of JavaScript: other checks refuse it
  }
  if (asked !== null) expect(isTimedPattern(source) ? 'timed' : 'linear').toBe(asked);
});

test('patterns are found wherever a schema holds them, and nowhere else', () => {
  const timed = (n: number): string => `(?=${n})`;
  const schema = {
    properties: { pattern: { type: 'string', pattern: timed(1) }, b: { items: { anyOf: [{ pattern: timed(2) }] } } },
    patternProperties: { [timed(3)]: true, '^x': true },
    default: { pattern: timed(4) },
    examples: [{ pattern: timed(5) }],
    pattern: timed(1),
  };
  expect([...timedPatterns(schema)].sort()).toEqual([timed(1), timed(2), timed(3)]);
});
