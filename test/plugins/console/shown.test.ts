import { describe, expect, it } from 'vitest';
import { changedFiles } from '../../../plugins/console/web/src/parts/changed-files.js';
import { markdownHtml } from '../../../plugins/console/web/src/parts/markdown-html.js';
import { visible } from '../../../plugins/console/web/src/parts/visible.js';

const DIFF = `diff --git a/a.txt b/a.txt
index 1111111..2222222 100644
--- a/a.txt
+++ b/a.txt
@@ -1 +1 @@
-a
+b
diff --git a/bin/tool b/bin/tool
new file mode 100755
index 0000000000000000000000000000000000000000..cdbc7d3cb4d9d8a4b5e1d1c0bd0e0000000000aa
GIT binary patch
literal 6
NcmZQzWMT#Y01f~L

literal 0
HcmV?d00001

diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/x.txt b/y.txt
similarity index 100%
rename from x.txt
rename to y.txt
diff --git a/empty b/empty
new file mode 100644
index 0000000..e69de29
diff --git a/old b/old
deleted file mode 100644
index e69de29..0000000
diff --git a/link b/link
new file mode 120000
index 0000000..1111111
--- /dev/null
+++ b/link
@@ -0,0 +1 @@
+/etc/passwd
\\ No newline at end of file
diff --git a/m.sh b/m.sh
old mode 100644
new mode 100755
index 1111111..2222222
--- a/m.sh
+++ b/m.sh
@@ -1 +1 @@
-a
+diff --git a/fake b/fake
`;

describe('the diff that a person signs in the console', () => {
  it('shows every file, also one whose change no line tells', () => {
    const files = changedFiles(DIFF);
    expect(files?.map(({ name, facts, hunks }) => [name, hunks.length, facts])).toEqual([
      ['a.txt', 1, []],
      [
        'bin/tool',
        0,
        ['new file mode 100755', 'GIT binary patch', 'literal 6', 'NcmZQzWMT#Y01f~L', 'literal 0', 'HcmV?d00001'],
      ],
      ['run.sh', 0, ['old mode 100644', 'new mode 100755']],
      ['y.txt', 0, ['similarity index 100%', 'rename from x.txt', 'rename to y.txt']],
      ['empty', 0, ['new file mode 100644']],
      ['old', 0, ['deleted file mode 100644']],
      ['link', 1, ['new file mode 120000']],
      ['m.sh', 1, ['old mode 100644', 'new mode 100755']],
    ]);
  });

  it('begins no file within a line', () => {
    const fake = 'x\rdiff --git a/y b/y\r';
    const files = changedFiles(`diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-a\n+${fake}\n+evil();\n`);

    expect(files?.map(({ name }) => name)).toEqual(['a']);
    expect(files?.[0]?.hunks[0]?.lines.at(-1)).toBe('+evil();');
  });

  it('takes a diff that git did not write, and no other text', () => {
    const plain =
      '===================================================================\n--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n';
    expect(changedFiles(plain)?.map(({ facts, hunks }) => [facts, hunks.length])).toEqual([[[], 1]]);
    expect(changedFiles('no diff at all')).toBeNull();
    expect(changedFiles(`something before\n${DIFF}`)).toBeNull();
  });
});

describe('text that a person signs in the console', () => {
  it('has no character that hides or turns others round', () => {
    expect(visible('rm \u202e x\u2066\u200b\ufeff\u{e0041}a\u200db\u0000\r!')).toBe(
      'rm \\u{202e} x\\u{2066}\\u{200b}\\u{feff}\\u{e0041}a\\u{200d}b\\u{0}\\u{d}!',
    );
    expect(visible('x\u3164\u2800 é\ufe00\ufe01\u200d')).toBe('x\\u{3164}\\u{2800} é\ufe00\\u{fe01}\\u{200d}');
    expect(visible('a\tb\r\nc\n👨\u200d👩 می\u200cخواهم')).toBe('a\tb\r\nc\n👨\u200d👩 می\u200cخواهم');
  });

  it('hides nothing of Markdown', () => {
    const html = markdownHtml(
      [
        '# Fine\n\n<!-- one -->\n\n[//]: # (two)\n\n[x]: https://example.org "three"\n\n![four](https://e.org/five "six")',
        '\n```sh seven\necho\n```\n\nei\u200bght',
      ].join('\n'),
    );
    for (const said of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'ei\\u{200b}ght'])
      expect(html).toContain(said);
    expect(html).not.toContain('<!--');
    expect(html).not.toContain('<img');
  });
});
