import { expect, it } from 'vitest';
import { parseSource } from '../../../src/compile/parse/parse-source.js';

const problemIn = (text: string) => {
  const [problem, ...more] = parseSource({ path: 't.yaml', text }).diagnostics;
  return { message: problem?.message, pointer: problem?.pointer, more };
};

it.each([
  ['a key too far in', 'root:\n  id: a\n  role: root\n\n    archetype: b\n', '/<line 3>'],
  ['one behind a comment', 'root:\n  id: a\n  role: root\n    # why\n    archetype: b\n', '/<line 5>'],
  ['a key too far out', 'root:\n    id: a\n  funnel: b\n    output: c\n', '/<line 3>'],
  ['the first key of a mapping', 'metadata:\nname: a\n  version: 1\n', '/<line 2>'],
])('%s is told of as indentation', (_what, text, pointer) => {
  expect(problemIn(text)).toEqual({ message: expect.stringMatching(/indent/), pointer, more: [] });
});

it('a value that holds `: ` is told to be quoted', () => {
  expect(problemIn('note: this: that\nother: 1\n')).toEqual({
    message: 'a nested mapping stands where a value belongs',
    pointer: '/<line 1>',
    more: [],
  });
});
