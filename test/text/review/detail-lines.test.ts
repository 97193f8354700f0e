import { expect, it } from 'vitest';
import { detailLines } from '../../../src/text/review/detail-lines.js';

it('shows a diff as lines, behind everything else, and says what is left out of it', () => {
  const diff = ['--- /dev/null', '+++ b/a.md', '@@ -0,0 +1,90 @@', ...Array<string>(90).fill('+x\u202ey')].join('\n');
  const lines = detailLines({ diff: `${diff}\n`, arguments: { path: 'a.md' } });

  expect(lines.slice(0, 4)).toEqual(['arguments "path": "a.md"', 'diff:', '  --- /dev/null', '  +++ b/a.md']);
  expect(lines).toContain('  +x\\u{202e}y');
  expect(lines.at(-1)).toBe('  ... and 53 more lines; `kit diff` of the run shows them');
});

it('says of a diff that is not whole how long it is', () => {
  expect(detailLines({ diff: '+a\n', diff_bytes: 90_000 }).at(-1)).toBe(
    '  ... and more, 90000 bytes in all; `kit diff` of the run shows them',
  );
  expect(detailLines({ diff: '+a\n', diff_bytes: 3 })).toEqual(['diff_bytes: 3', 'diff:', '  +a']);
});

it('takes nothing for a diff but a text of that name', () => {
  expect(detailLines({ diff: 3, other: 'a\nb' })).toEqual(['diff: 3', 'other: "a\\nb"']);
});
