import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { citationFaults } from '../../../src/govern/checks/cited-change.js';
import { overBudget, sliceSize } from '../../../src/govern/checks/slice-budget.js';
import { diffFiles } from '../../../src/lib/diff-files.js';

const fixture = (name: string): string =>
  readFileSync(new URL(`../../fixtures/data/cited-change/${name}`, import.meta.url), 'utf8');
const CHANGE = fixture('change.diff');
const RATIONALE = fixture('change-rationale.yaml');

/** Everything that git writes into a diff besides lines. */
const ODD = `diff --git a/a.sql b/a.sql
index 1111111..2222222 100644
--- a/a.sql
+++ b/a.sql
@@ -1,2 +1,2 @@
--- old comment
+++ b/evil.sql
 keep
@@ -9,0 +10,1 @@
+x
diff --git "a/\\303\\244 b.txt" "b/\\303\\244 b.txt"
new file mode 100644
--- /dev/null
+++ "b/\\303\\244 b.txt"
@@ -0,0 +1 @@
+y
\\ No newline at end of file
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
index 1111111..0000000
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-z
diff --git a/x.txt b/y.txt
similarity index 100%
rename from x.txt
rename to y.txt
diff --git a/bin b/bin
new file mode 100644
index 0000000..1111111
GIT binary patch
literal 3
Kcmb=
literal 0
HcmV?d00001

`;

describe('what a diff changes', () => {
  it('counts by hunks, so that a changed line cannot pass for the head of a file', () => {
    expect(diffFiles(ODD).map(({ path, oldPath, newLines }) => ({ path, oldPath, newLines }))).toEqual([
      { path: 'a.sql', oldPath: null, newLines: [1, 10] },
      { path: 'ä b.txt', oldPath: null, newLines: [1] },
      { path: 'gone.txt', oldPath: null, newLines: [] },
      { path: 'y.txt', oldPath: 'x.txt', newLines: [] },
      { path: 'bin', oldPath: null, newLines: [] },
    ]);
  });

  it('is nothing for text that is not a diff', () => {
    expect(diffFiles('A result.\n\n---\n\nMore of it.')).toEqual([]);
  });
});

describe('slice_budget', () => {
  it.each([
    ['the diff of a harness', { text: 'done\ndone\ndone', diff: CHANGE }, { lines: 4, files: 1 }],
    ['a harness that changed nothing', { text: 'done', diff: '' }, { lines: 0, files: 0 }],
    ['a text that is a diff', { text: ODD, diff: null }, { lines: 3, files: 5 }],
    ['any other text: each line is added to one file', { text: 'one\ntwo\n', diff: null }, { lines: 2, files: 1 }],
    ['an empty text', { text: '', diff: null }, { lines: 0, files: 0 }],
  ])('%s', (_name, draft, size) => {
    expect(sliceSize(draft)).toEqual(size);
  });

  it.each([
    [{ maxDiffLines: 4, maxFiles: 1 }, 0],
    [{ maxDiffLines: 3, maxFiles: null }, 1],
    [{ maxDiffLines: 3, maxFiles: 0 }, 2],
    [{ maxDiffLines: null, maxFiles: null }, 0],
  ])('%j is over in %i ways by four lines in one file', (budget, faults) => {
    expect(overBudget(budget, { lines: 4, files: 1 })).toHaveLength(faults);
  });
});

describe('cited_change', () => {
  const rationale = (citations: unknown, summary: unknown = 'Why.') => ({ summary, citations });
  const cite = (lines: unknown, path: unknown = 'src/oms/reserve.py') => ({ claim: 'It checks.', path, lines });

  it.each([
    ['YAML', RATIONALE],
    ['YAML in a fence, with words around it', `Here it is:\n\`\`\`yaml\n${RATIONALE}\`\`\`\nThat was it.`],
    ['JSON', JSON.stringify(rationale([cite([2, 3])]))],
    ['a value', rationale([cite([2])])],
    ['a citation that also names an unchanged line beside a changed one', rationale([cite([1, 2])])],
  ])('holds for a rationale as %s', (_name, given) => {
    expect(citationFaults(given, CHANGE)).toEqual([]);
  });

  it.each([
    ['no line that the diff adds or changes', rationale([cite([1, 6])])],
    ['names a file that the diff does not touch', rationale([cite([2]), cite([2], 'src/other.py')])],
    ['names no line', rationale([cite([])])],
    ['No citation explains the change of src/oms/reserve.py', rationale([])],
    ['as a list of line numbers', rationale([cite(['2'])])],
    ['as a list of line numbers', rationale([cite([2.5])])],
    ['as a list of line numbers', rationale([cite([2], '')])],
    ['as a list of line numbers', rationale(['src/oms/reserve.py:2'])],
    ['must be a JSON or YAML mapping', rationale([cite([2])], ' ')],
    ['must be a JSON or YAML mapping', rationale('none')],
    ['must be a JSON or YAML mapping', 'I changed it because it was wrong.'],
    ['must be a JSON or YAML mapping', '{ broken: [yaml'],
    ['must be a JSON or YAML mapping', null],
  ])('fails: %s', (fault, given) => {
    expect(citationFaults(given, CHANGE).join('\n')).toContain(fault);
  });

  it('tells every fault at once', () => {
    const faults = citationFaults(rationale([cite([99]), cite([1], 'nowhere')]), ODD);

    expect(faults).toHaveLength(2 + 5);
  });

  it('takes a file without added lines with no lines, by its old or new name', () => {
    const all = [cite([1], 'a.sql'), cite([1], 'ä b.txt'), cite([], 'gone.txt'), cite([], 'x.txt'), cite([], 'bin')];

    expect(citationFaults(rationale(all), ODD)).toEqual([]);
    expect(
      citationFaults(rationale([...all.slice(0, 2), cite([1], 'gone.txt'), cite([], 'y.txt'), cite([], 'bin')]), ODD),
    ).toEqual([expect.stringContaining('no line of the file is added or changed')]);
  });

  it('cannot hold without a diff', () => {
    expect(citationFaults(RATIONALE, null)).toEqual([expect.stringContaining('There is no diff')]);
    expect(citationFaults(RATIONALE, '')).toHaveLength(2);
  });

  it('does not expand a text into more than it is', () => {
    const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefghij'
      .split('')
      .map(
        (name, index) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefghij'[index]}`).join(', ')}]`,
      )
      .join('\n')}\n`;

    expect(citationFaults(bomb, CHANGE)).toHaveLength(1);
  });
});
