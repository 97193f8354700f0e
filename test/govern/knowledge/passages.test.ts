import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markdownPassages } from '../../../src/govern/knowledge/markdown.js';
import { linesOf, MAX_PASSAGE_CHARS, textPassages } from '../../../src/govern/knowledge/passages.js';

const cited = (text: string) =>
  markdownPassages(text).map(({ heading, lines }) => `${heading ?? '-'} ${lines.join('-')}`);

it('cites each passage of a Markdown document by the headings above it and its lines', () => {
  const text = '# Guide\n\nHello.\n\n## Install\n\nRun it.\nTwice.\n\n### On Linux\nUse apt.\n\n## Use ##\nCall it.\n';

  expect(cited(text)).toEqual([
    'Guide 1-3',
    'Guide > Install 5-8',
    'Guide > Install > On Linux 10-11',
    'Guide > Use 13-14',
  ]);
});

it('knows underlined headings from rules, lists and tables', () => {
  expect(cited('Title\n=====\ntext\n\nSub\n---\nmore\n\n---\n\n- item\n---\n\nlast')).toEqual([
    'Title 1-3',
    'Title > Sub 5-14',
  ]);
});

it('takes no heading out of a fence or of metadata at the start', () => {
  expect(cited('---\n# no: heading\n---\nText.\n\n```sh\n# comment\n```\n\n# Real\nx\n~~~\n# other\n~~~~\n')).toEqual([
    '- 1-8',
    'Real 10-14',
  ]);
});

it('goes on in a fence that nobody closes, to the end', () => {
  expect(cited('# A\n````\n```\n# b\n')).toEqual(['A 1-4']);
});

it('keeps paragraphs whole where they fit, and cuts between lines where they do not', () => {
  const paragraph = (word: string, lines: number) =>
    Array.from({ length: lines }, () => word.repeat(100).slice(0, 100)).join('\n');
  const text = [paragraph('a', 8), paragraph('b', 8), paragraph('c', 20)].join('\n\n');

  const found = textPassages(text);

  expect(found.map(({ lines, text: body }) => `${lines.join('-')} ${body[0]}`)).toEqual([
    '1-8 a',
    '10-17 b',
    '19-29 c',
    '30-38 c',
  ]);
});

it('cuts a line without an end into pieces that cite it', () => {
  const found = textPassages(`short\n${'x'.repeat(MAX_PASSAGE_CHARS * 2 + 5)}\nend`);

  expect(found.map(({ lines, text }) => [lines, text.length])).toEqual([
    [[1, 1], 5],
    [[2, 2], MAX_PASSAGE_CHARS],
    [[2, 2], MAX_PASSAGE_CHARS],
    [[2, 2], 5],
    [[3, 3], 3],
  ]);
});

it('counts lines alike, whatever ends them, and makes spaces of control characters', () => {
  expect(textPassages('a\r\nb\rc\nd\u0007e').map(({ lines, text }) => [lines, text])).toEqual([
    [[1, 4], 'a\nb\nc\nd e'],
  ]);
});

it('loses no word of any text, cites the lines that hold it, and keeps passages short', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 90 }),
    fc.constantFrom('', '# h', '## h ##', '```', '---', '====', '~~~', '- x', '    code'),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 80 }), fc.constantFrom('\n', '\r\n'), (given, end) => {
      const text = given.join(end);
      const lines = linesOf(text);
      const seen = new Set<number>();
      for (const passage of markdownPassages(text)) {
        const [from, to] = passage.lines;
        expect(passage.text.length).toBeLessThanOrEqual(MAX_PASSAGE_CHARS);
        expect(passage.text).toBe(lines.slice(from - 1, to).join('\n'));
        for (let n = from; n <= to; n += 1) {
          expect(seen.has(n)).toBe(false);
          seen.add(n);
        }
      }
      for (const [index, one] of lines.entries()) if (one.trim() !== '') expect(seen.has(index + 1)).toBe(true);
    }),
  );
});
