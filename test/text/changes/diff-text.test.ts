import { expect, it } from 'vitest';
import type { RunChanges } from '../../../src/app/changes/changes-app.js';
import { diffFiles } from '../../../src/lib/diff-files.js';
import { diffStatText, diffText } from '../../../src/text/diff-text.js';

const DIFF =
  'diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+\u001b]0;title\u0007two\n' +
  'diff --git a/x.png b/x.png\nnew file mode 100644\nindex 0..2\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\n' +
  'diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n';
const changes = {
  job: { id: '0123456789ab' },
  changes: [
    {
      agentId: 'builder\u001b[2J',
      diff: DIFF,
      files: diffFiles(DIFF),
      state: 'partial',
      reason: 'executor.max_turns',
      signed: { gateId: 'g', round: 0, status: 'approved', by: ['ann', 'bob'], isSame: false },
    },
  ],
} as unknown as RunChanges;

it('colours the diff line by line, and lets no text of a harness reach the terminal as a command', () => {
  const text = diffText(changes, { color: true });

  expect(text).toContain('\u001b[32m+\\u{1b}]0;title\\u{7}two\u001b[39m');
  expect(text).toContain('\u001b[31m-one\u001b[39m');
  expect(text).toContain('\u001b[1mdiff --git a/a b/a\u001b[22m');
  expect(text).not.toContain('\u001b]');
  expect(text).not.toContain('\u001b[2J');
});

it('sums up each agent and file', () => {
  expect(diffStatText(changes, { color: false })).toBe(
    [
      'builder  3 files, +1 -1, partial (executor.max_turns), gate g approved by ann, bob, other bytes',
      '  M a  +1 -1',
      '  A x.png  binary',
      '  R old -> new  +0 -0',
    ].join('\n'),
  );
});
