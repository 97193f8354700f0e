import { expect, it } from 'vitest';
import { parseSource } from '../../../src/compile/parse/parse-source.js';

it.each(['"', "'"])('a quote %s that nobody closes is reported where it begins', (quote) => {
  const text = `kind: Topology\nname: ${quote}a note\nother: "closed"\nlast: plain\n`.replace(
    '"closed"',
    quote === '"' ? "'closed'" : '"closed"',
  );
  const [problem] = parseSource({ path: 't.yaml', text }).diagnostics;

  expect(problem?.message).toBe('the quote that begins here is not closed');
  expect(text.slice(problem?.span?.start, problem?.span?.end)).toBe(quote);
  expect(problem?.pointer).toBe('/<line 2>');
});
