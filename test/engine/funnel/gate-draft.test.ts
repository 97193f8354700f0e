import { describe, expect, it } from 'vitest';
import { artifactOf, partsOf } from '../../../src/engine/funnel/gate-draft.js';
import { sha256Hex } from '../../../src/lib/sha256.js';
import { policy, rule } from '../../support/gated.js';

const section = (path: string, line: string): string =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-old\n+${line}\n`;
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('the artifact of a draft', () => {
  it('is the text as it is', () => {
    const { bytes, ...rest } = artifactOf({ output: 'grüße\n', diff: null });
    expect(textOf(bytes)).toBe('grüße\n');
    expect(rest).toEqual({ mediaType: 'text/plain', sha256: sha256Hex('grüße\n'), diffSha256: null });
  });

  it('is JSON that people can read, in the order of its fields', () => {
    const { bytes, mediaType } = artifactOf({ output: { b: 1, a: [2] }, diff: null });
    expect(textOf(bytes)).toBe('{\n  "b": 1,\n  "a": [\n    2\n  ]\n}');
    expect(mediaType).toBe('application/json');
  });

  it('holds the diff of a harness as well: what is signed is all that goes on', () => {
    const diff = section('a.txt', 'new');
    const { bytes, ...rest } = artifactOf({ output: 'changed a.txt', diff });
    expect(textOf(bytes)).toBe(`changed a.txt\n\n${diff}`);
    expect(rest).toEqual({ mediaType: 'text/x-diff', sha256: sha256Hex(bytes), diffSha256: sha256Hex(diff) });
    expect(artifactOf({ output: 'changed a.txt', diff: section('a.txt', 'other') }).sha256).not.toBe(rest.sha256);
  });

  it('of a harness that changed nothing is its answer, and says that there is an empty diff', () => {
    expect(artifactOf({ output: 'nothing to do', diff: '' })).toMatchObject({
      mediaType: 'text/plain',
      diffSha256: sha256Hex(''),
    });
  });
});

describe('the part that a rule covers', () => {
  const digest = (covers: readonly string[], draft: Parameters<typeof partsOf>[1]): string | undefined =>
    Object.values(partsOf(policy([rule(['qa'], { covers })]), draft)['0'] ?? {})[0];
  const same = (
    covers: readonly string[],
    one: Parameters<typeof partsOf>[1],
    other: Parameters<typeof partsOf>[1],
  ): boolean => digest(covers, one) === digest(covers, other);

  it.each(['\r', '\u2028', '\u2029'])('goes on behind %j in a line, which begins no other file', (mark) => {
    const draft = (line: string) => ({
      output: 'done',
      diff: section('src/auth.js', `ok(); //${mark}diff --git a/docs/a b/docs/a${mark}${line}`),
    });

    expect(same(['src'], draft('ok();'), draft('evil();'))).toBe(false);
  });

  it('is told for rules with covers alone', () => {
    const approve = policy([rule(['qa']), rule(['ops'], { covers: ['/a', '/b'] })]);
    expect(Object.keys(partsOf(approve, { output: { a: 1, b: 2 }, diff: null }))).toEqual(['1']);
    expect(Object.keys(partsOf(approve, { output: { a: 1, b: 2 }, diff: null })['1'] ?? {})).toEqual(['/a', '/b']);
  });

  it.each([
    {
      what: 'a field that stayed',
      covers: '/body',
      one: { body: { x: 1, y: 2 }, t: 1 },
      other: { t: 2, body: { y: 2, x: 1 } },
      isSame: true,
    },
    { what: 'a field that changed', covers: '/body', one: { body: 1 }, other: { body: 2 }, isSame: false },
    {
      what: 'a field with a slash in its name',
      covers: '/a~1b',
      one: { 'a/b': 1, t: 1 },
      other: { 'a/b': 1, t: 2 },
      isSame: true,
    },
    {
      what: 'a field that is in neither, while another changed',
      covers: '/sumary',
      one: { summary: 1 },
      other: { summary: 2 },
      isSame: false,
    },
    { what: 'a field of text', covers: '/body', one: 'one', other: 'two', isSame: false },
    {
      what: 'a field that every object inherits',
      covers: '/constructor',
      one: { a: 1 },
      other: { a: 2 },
      isSame: false,
    },
  ])('$what: equal is $isSame', ({ covers, one, other, isSame }) => {
    expect(same([covers], { output: one, diff: null }, { output: other, diff: null })).toBe(isSame);
  });

  const renamed =
    'diff --git a/docs/a.md b/other/a.md\nsimilarity index 100%\nrename from docs/a.md\nrename to other/a.md\n';
  it.each([
    {
      what: 'another file changed',
      covers: 'docs',
      one: section('docs/a.md', '1') + section('src/b.ts', '1'),
      other: section('docs/a.md', '1') + section('src/b.ts', '2'),
      isSame: true,
    },
    {
      what: 'a file below it changed',
      covers: 'docs/',
      one: section('docs/a.md', '1'),
      other: section('docs/a.md', '2'),
      isSame: false,
    },
    {
      what: 'a file beside it that begins alike changed',
      covers: 'docs',
      one: section('docs-old/a.md', '1'),
      other: section('docs-old/a.md', '2'),
      isSame: true,
    },
    {
      what: 'a change of it was taken back',
      covers: './docs/a.md',
      one: section('docs/a.md', '1'),
      other: section('src/b.ts', '1'),
      isSame: false,
    },
    {
      what: 'a file moved away from it',
      covers: 'docs',
      one: section('src/b.ts', '1'),
      other: section('src/b.ts', '1') + renamed,
      isSame: false,
    },
    {
      what: 'a line of another file looks like the head of a section',
      covers: 'docs',
      one: section('src/b.ts', '++ b/docs/a.md'),
      other: section('src/b.ts', 'x'),
      isSame: true,
    },
  ])('of a diff, when $what: equal is $isSame', ({ covers, one, other, isSame }) => {
    expect(same([covers], { output: 'x', diff: one }, { output: 'y', diff: other })).toBe(isSame);
  });
});
