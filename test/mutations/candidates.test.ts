import { describe, expect, it } from 'vitest';
import { candidatesIn, type Mutation, mutated } from '../support/mutations/candidates.js';
import { sampleOf } from '../support/mutations/sample.js';

const mutantsOf = (text: string): readonly string[] =>
  candidatesIn('a.ts', text).map((mutation) => mutated(text, mutation));

describe('the mutations of a text', () => {
  it.each([
    ['a comparison', 'f(a < b);', ['f(a <= b);']],
    ['an equality, whose text stays', "f(a === 'x');", ["f(a !== 'x');"]],
    ['a condition', 'if (a) b();', ['if (!(a)) b();']],
    ['a conditional expression', 'f(a ? b : c);', ['f(!(a) ? b : c);']],
    ['and, or', 'f(a && b || c);', ['f(a && b && c);', 'f(a || b || c);']],
    ['a sum', 'f(a + 1);', ['f(a - 1);']],
    ['a step', 'a -= 1;', ['a += 1;']],
    ['texts that are put together', 'f(`a${b}` + c + d);', []],
    ['a returned boolean', 'function f() { return true; }', ['function f() { return false; }']],
    ['a boolean of a short function', 'f(() => false);', ['f(() => true);']],
    ['a text that decides', "f('kind');", ["f('');"]],
    ['words for people, also those that are thrown', "f('no such key'); throw new Error('gone');", []],
    ['the name of a property', "f({ 'a-b': c });", []],
    ['a label of a switch', "switch (a) { case 'b': }", []],
    ['types and imports', "import { a } from 'a'; export { b } from 'b'; type C = 'c'; interface D { d: 'd' }", []],
  ])('%s: %j becomes %j', (_, text, mutants) => {
    expect(mutantsOf(text)).toEqual(mutants);
  });

  it('say where they are, and what was there', () => {
    expect(candidatesIn('src/a.ts', '// one\nf(a !== b);\n')).toEqual([
      { file: 'src/a.ts', kind: 'comparison', start: 9, end: 16, line: 2, before: 'a !== b', after: 'a === b' },
    ]);
  });
});

const places = (file: string, count: number): readonly Mutation[] =>
  candidatesIn(file, Array.from({ length: count }, (_, n) => `f(a < ${n % 10});\n`).join(''));

describe('the sample', () => {
  const all = [...places('a.ts', 100), ...places('b.ts', 100)];

  it('is the same for the same seed, and another for another', () => {
    expect(sampleOf(all, 20, 1)).toEqual(sampleOf(all, 20, 1));
    expect(sampleOf(all, 20, 1)).not.toEqual(sampleOf(all, 20, 2));
    expect(sampleOf(all, 20, 1)).toHaveLength(20);
  });

  it('stays in a file where another has grown', () => {
    const inA = (mutations: readonly Mutation[]): readonly Mutation[] =>
      mutations.filter(({ file }) => file === 'a.ts');
    const before = sampleOf(all, 20, 1);
    const after = sampleOf([...all, ...places('c.ts', 1)], 20, 1);

    expect(inA(before).filter((one) => !inA(after).includes(one)).length).toBeLessThanOrEqual(1);
    expect(inA(after).filter((one) => !inA(before).includes(one))).toEqual([]);
    expect(inA(before).length).toBeGreaterThan(1);
  });
});
