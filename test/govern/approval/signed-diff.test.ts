import { expect, it } from 'vitest';
import { artifactOf } from '../../../src/engine/funnel/gate-draft.js';
import { signedDiff } from '../../../src/govern/approval/signed-diff.js';

const DIFF = 'diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n';
const BINARY = `diff --git a/x.png b/x.png\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\nliteral 0\nHcmV?d00001\n\n${DIFF}`;

it.each([
  ['plain text before it', 'done', DIFF],
  ['an answer that imitates one', `look:\n\n${DIFF}\n\ndiff --git a/b b/b\n`, DIFF],
  ['binary files in it', 'done', BINARY],
  ['no text before it', '', DIFF],
  ['no change', 'done', ''],
])('finds the diff in what people sign: %s', (_what, output, diff) => {
  const { bytes, diffSha256 } = artifactOf({ output, diff });

  expect(signedDiff(new TextDecoder().decode(bytes), diffSha256 ?? '')).toBe(diff);
});

it('finds none with another digest', () => {
  const { bytes } = artifactOf({ output: 'done', diff: DIFF });

  expect(signedDiff(new TextDecoder().decode(bytes), 'f'.repeat(64))).toBeNull();
});
