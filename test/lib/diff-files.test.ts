import { expect, it } from 'vitest';
import { diffFiles } from '../../src/lib/diff-files.js';

const of = (diff: string) =>
  diffFiles(diff).map(({ newLines, ...file }) => ({ ...file, newLines: newLines.join(',') }));
const file = (path: string, over = {}) => ({
  path,
  oldPath: null,
  change: 'changed',
  isBinary: false,
  added: 0,
  removed: 0,
  newLines: '',
  ...over,
});

it.each([
  [
    'an edit',
    'diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n one\n-two\n+TWO\n+three\n',
    [file('a', { added: 2, removed: 1, newLines: '2,3' })],
  ],
  [
    'a new file without a last line break',
    'diff --git a/n b/n\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n',
    [file('n', { change: 'added', added: 1, newLines: '1' })],
  ],
  [
    'a removed file',
    'diff --git a/g b/g\ndeleted file mode 100644\nindex 1..0\n--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
    [file('g', { change: 'deleted', removed: 1 })],
  ],
  [
    'a rename',
    'diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n',
    [file('new', { oldPath: 'old', change: 'renamed' })],
  ],
  [
    'bytes, and a name that is not ASCII',
    'diff --git "a/\\303\\244.png" "b/\\303\\244.png"\nnew file mode 100644\nindex 0..1\nGIT binary patch\nliteral 1\nIc\n\n',
    [file('ä.png', { change: 'added' })],
  ],
  [
    'bytes by their name',
    'diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n',
    [file('x.png', { isBinary: true })],
  ],
  ['no diff at all', 'Done: 2 files changed', []],
])('knows %s', (_what, diff, files) => {
  expect(of(diff)).toEqual(files);
});
