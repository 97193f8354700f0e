import { describe, expect, it } from 'vitest';
import { fileLines } from '../../../src/text/inbox/diff-section.js';
import { inboxFrame } from '../../../src/text/inbox/inbox-layout.js';
import type { InboxState } from '../../../src/text/inbox/inbox-state.js';
import { itemBody } from '../../../src/text/inbox/item-lines.js';
import { whyFolded } from '../../../src/view/folded-path.js';
import { artifactOf, inboxAfter, itemView, opened, typed } from './samples.js';

const file = (path: string, added: readonly string[]): string =>
  [
    `diff --git a/${path} b/${path}`,
    'index 111..222 100644',
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -1,1 +1,${added.length} @@`,
    '-old',
    ...added.map((line) => `+${line}`),
    '',
  ].join('\n');

const LOCK = Array.from({ length: 120 }, (_, n) => `"package-${n}": "1.0.0"`);
const DIFF = `${file('package-lock.json', LOCK)}${file('src/pay.ts', ['charge(user);'])}${file('dist/out.js', ['x'])}`;
const item = itemView({ harnessDiff: DIFF, artifact: artifactOf(`Done: 3 files changed\n${DIFF}`) });
const texts = (lines: readonly { readonly text: string }[]): readonly string[] => lines.map(({ text }) => text);

/** The state as the screen has it: what was drawn is told to it. */
function drawnAt(state: InboxState): InboxState {
  const { size } = inboxFrame(state, { columns: 80, rows: 24 });
  return inboxAfter([{ kind: 'drawn', size }], state).state;
}

describe('a diff', () => {
  it('is shown file by file, coloured, with lock and generated files folded and their size told', () => {
    const { lines } = itemBody(item, 80);
    expect(texts(lines)).toEqual(
      expect.arrayContaining([
        ' ▸ package-lock.json  +120 -1  lock file  folded, f opens',
        ' ▾ src/pay.ts  +1 -1',
        ' ▸ dist/out.js  +1 -1  generated  folded, f opens',
      ]),
    );
    expect(lines.filter(({ tone, text }) => tone === 'good' && text === '  +charge(user);')).toHaveLength(1);
    expect(lines.filter(({ tone, text }) => tone === 'bad' && text === '  -old')).toHaveLength(1);
    expect(texts(lines).join('\n')).not.toContain('package-7');
    // The artifact above does not repeat it.
    expect(texts(lines).join('\n')).toMatch(/Done: 3 files changed\n {2}\(the diff stands below\)/);
  });

  it('is jumped through with n and p, and f opens and folds the file that was jumped to', () => {
    const at = drawnAt(opened(item));
    expect(at.size.files.map(({ path, isFolded }) => [path, isFolded])).toEqual([
      ['package-lock.json', true],
      ['src/pay.ts', false],
      ['dist/out.js', true],
    ]);
    const second = drawnAt(inboxAfter(typed('nn'), at).state);
    expect(texts(inboxFrame(second, { columns: 80, rows: 24 }).lines).join('\n')).toContain('>▾ src/pay.ts');
    const folded = drawnAt(inboxAfter(typed('f'), second).state);
    expect(folded.size.files[1]?.isFolded).toBe(true);
    const open = drawnAt(inboxAfter(typed('pf'), folded).state);
    expect(open.size.files.map(({ isFolded }) => isFolded)).toEqual([false, true, true]);
    expect(open.size.lines).toBeGreaterThan(120);
    // Another item begins unfolded by hand.
    expect(inboxAfter([{ kind: 'item', item }], open).state.folds).toEqual({});
  });

  it('loses no line where nothing is folded, also of a diff that is not of git', () => {
    const plain = '--- a/one.txt\n+++ b/one.txt\n@@ -1 +1 @@\n-a\n+b\n';
    for (const diff of [DIFF, plain, `Binary notes\n${DIFF}`, 'no diff at all']) {
      const folds = { 'package-lock.json': false, 'dist/out.js': false };
      const lines = fileLines(diff, 400, { folds, fileAt: -1 }).flatMap((one) => texts(one.lines));
      for (const line of diff.split('\n').filter((text) => text !== '')) expect(lines).toContain(`  ${line}`);
    }
  });
});

describe('a path', () => {
  it.each([
    ['package-lock.json', 'lock file'],
    ['web/yarn.lock', 'lock file'],
    ['Cargo.lock', 'lock file'],
    ['dist/a.js', 'generated'],
    ['src/__snapshots__/a.snap', 'generated'],
    ['api/a.pb.go', 'generated'],
    ['src/dist.ts', null],
    ['build', null],
    ['src/lock.ts', null],
  ])('%s is folded as %s', (path, why) => expect(whyFolded(path)).toBe(why));
});
