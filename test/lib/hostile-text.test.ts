import { describe, expect, it } from 'vitest';
import { maskLiterals } from '../../src/app/editing/mask-literals.js';
import { readVerdict } from '../../src/govern/checks/verdict.js';
import { interpolateText } from '../../src/lib/interpolate-text.js';
import { isTimedPattern } from '../../src/lib/patterns/linear-pattern.js';
import { withoutPasswords, withoutTrailingSlashes } from '../../src/lib/show-url.js';

const TIMES = 300_000;

/** Each took minutes of a text like this, with nothing else done meanwhile. */
const READERS: Readonly<Record<string, { readonly piece: string; readonly read: (text: string) => unknown }>> = {
  'the answer of a decision skill': { piece: '[source:', read: readVerdict },
  'a text with references': { piece: '${', read: (text) => interpolateText(text, () => 'x').text },
  'an address without its end': { piece: '/', read: (text) => withoutTrailingSlashes(`${text}x`) },
  'a message with addresses': { piece: '://', read: (text) => withoutPasswords(`at ${text}`) },
  'a value that is shown masked': { piece: '${', read: (text) => maskLiterals(text, 'token') },
  'a pattern with classes': { piece: '\\[', read: isTimedPattern },
  'a pattern whose class holds classes': { piece: '[', read: (text) => isTimedPattern(`${text}]`) },
};

describe('text of strangers is read in a time that grows with it alone:', () => {
  it.each(Object.entries(READERS))('%s', (_name, { piece, read }) => {
    const text = piece.repeat(TIMES);
    expect(() => read(text)).not.toThrow();
  });
});

describe('what is read is what it was:', () => {
  it.each([
    ['{"verdict":"pass","confidence":1}\n[source: a tool]\n', 'pass'],
    ['{"verdict":"pass","confidence":1} [source: a tool] ', 'pass'],
  ])('the verdict of %j', (answer, verdict) => {
    expect(readVerdict(answer).verdict).toBe(verdict);
  });

  it.each([
    ['a ${B} c ${', 'a x c ${'],
    ['$${B} ${C:-d', '${B} ${C:-d'],
  ])('the text %j', (text, expanded) => {
    expect(interpolateText(text, () => 'x').text).toBe(expanded);
  });

  it.each([
    ['at postgres://u:p@ss@h/d, x@y', 'at postgres://***@h/d, x@y'],
    ['from a@b over http://h/', 'from a@b over http://h/'],
  ])('the message %j', (text, shown) => {
    expect(withoutPasswords(text)).toBe(shown);
  });

  it.each([
    ['/a//', '/a'],
    ['//', ''],
    ['', ''],
    ['a', 'a'],
  ])('the path %j', (path, without) => {
    expect(withoutTrailingSlashes(path)).toBe(without);
  });
});
