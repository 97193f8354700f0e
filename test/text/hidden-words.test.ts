import { expect, it } from 'vitest';
import type { RunChanges } from '../../src/app/changes/changes-app.js';
import { visible, visibleLines } from '../../src/lib/shell-word.js';
import { diffText } from '../../src/text/diff-text.js';
import { fileLines } from '../../src/text/inbox/diff-section.js';
import { createPaint } from '../../src/text/lines/paint.js';
import { artifactLines } from '../../src/text/review/artifact-lines.js';

// What a terminal takes for the title of a window is code to whatever runs the file.
const CODE = 'ok(); /*\u001b]*/ evil(); /*\u0007*/ ok(); \u009b;../evil \u202e)(';
const DIFF = `diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-\tok();\n+\t${CODE}\n`;
const SHOWN = 'ok(); /*\\u{1b}]*/ evil(); /*\\u{7}*/ ok(); \\u{9b};../evil \\u{202e})(';

it('hides nothing of a diff that is signed, nor of a text that is decided about', () => {
  const changes = { changes: [{ agentId: 'a', files: [], state: 'whole', signed: null, diff: DIFF }] };

  const shown = [
    fileLines(DIFF, 200, { folds: {}, fileAt: -1 })
      .flatMap(({ lines }) => lines.map(({ text }) => text))
      .join('\n'),
    artifactLines({ mediaType: 'text/plain', sizeBytes: 1, text: CODE } as Parameters<typeof artifactLines>[0], {
      isWhole: true,
      more: '',
      paint: createPaint(false),
    }).join('\n'),
    diffText(changes as unknown as RunChanges, { color: false }),
  ];

  for (const text of shown) {
    expect(text).toContain(SHOWN);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  }
});

it('begins no file within a line, which would be folded away', () => {
  const fake = `//\rdiff --git a/package-lock.json b/package-lock.json\r`;
  const diff = `diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1 +1,2 @@\n-a\n+${fake}\n+evil();\n`;

  const files = fileLines(diff, 200, { folds: {}, fileAt: -1 });

  expect(files.map(({ path, isFolded }) => [path, isFolded])).toEqual([['a.js', false]]);
});

it('leaves what scripts and emoji are made of, and writes out what only hides', () => {
  expect(visibleLines('👩\u200d💻\tनमस्ते\r\nnext')).toBe('👩\u200d💻    नमस्ते\nnext');
  expect(visible('pay\u200dpal\nb')).toBe('pay\\u{200d}pal\\nb');
});

it('writes out letters that are blank, and a row of selectors or joiners', () => {
  expect(visible('x\u3164 = a\u115f\u1160\uffa0\u2800b')).toBe('x\\u{3164} = a\\u{115f}\\u{1160}\\u{ffa0}\\u{2800}b');
  expect(visible('a\ufe0f é\ufe00\ufe01 😀\u{e0101}\u{e0102}')).toBe(
    'a\\u{fe0f} é\ufe00\\u{fe01} 😀\u{e0101}\\u{e0102}',
  );
  expect(visible('é\u200d\u200c\u200d')).toBe('é\u200d\\u{200c}\\u{200d}');
  const whole = '❤\ufe0f\u200d🔥 1\ufe0f\u20e3 葛\u{e0100} می\u200cخواهم क\u094d\u200dष';
  expect(visible(whole)).toBe(whole);
});
