import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { InboxItem } from '../../../src/app/review/review-app.js';
import { inboxFrame } from '../../../src/text/inbox/inbox-layout.js';
import { type InboxState, openInbox } from '../../../src/text/inbox/inbox-state.js';
import { askedSample, HOSTILE, hostileAsked } from '../../support/asked-samples.js';
import {
  artifactOf,
  detailsOf,
  inboxAfter,
  itemView,
  listed,
  opened,
  previousOf,
  questionRow,
  taskRow,
  typed,
} from './samples.js';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 40, rows: 20 },
  { columns: 120, rows: 40 },
  { columns: 20, rows: 5 },
  { columns: 10, rows: 2 },
];
const textOf = (state: InboxState, size = { columns: 120, rows: 60 }): string =>
  inboxFrame(state, size)
    .lines.map((line) => line.text.trimEnd())
    .join('\n');

function hostileItem(): InboxItem {
  const details = detailsOf({
    resolutions: [
      {
        itemId: 'i',
        role: HOSTILE,
        scope: HOSTILE,
        status: 'approved',
        resolvedBy: HOSTILE,
        comment: HOSTILE.repeat(9),
        round: 0,
        at: '',
        stale: true,
        carriedFrom: 0,
      },
    ],
    actors: [{ itemId: 'i', ruleIndex: 0, role: HOSTILE, scope: HOSTILE, members: [HOSTILE, HOSTILE] }],
    stuck: [HOSTILE],
    author: { identity: HOSTILE, person: HOSTILE, assurance: 'asserted', identified: false, note: HOSTILE },
    evidence: {
      retries: 2,
      escalated: true,
      failedLayers: ['judge'],
      critique: HOSTILE.repeat(5),
      judge: { skill: HOSTILE, verdict: 'fail', confidence: 0.5, reasoning: HOSTILE },
      findings: [{ severity: HOSTILE, location: HOSTILE, claim: HOSTILE }, HOSTILE, { other: HOSTILE }],
      diffSha256: null,
    },
  });
  const row = taskRow(1, { asked: hostileAsked() });
  return itemView({
    ...row,
    item: { ...row.item, role: HOSTILE, scope: HOSTILE, gateId: HOSTILE },
    details,
    artifact: artifactOf(`${HOSTILE.repeat(20)}\n${HOSTILE}`, { ref: HOSTILE }),
    harnessDiff: `--- a\n+++ b\n@@ -1 +1 @@\n-${HOSTILE}\n+${HOSTILE}\n`,
    previous: previousOf(`before ${HOSTILE}\n`),
  });
}

const STATES: readonly (readonly [string, InboxState])[] = [
  ['an empty list', listed([])],
  ['a long list', listed(Array.from({ length: 90 }, (_, n) => taskRow(n, { asked: hostileAsked() })))],
  ['a list of questions', listed(Array.from({ length: 9 }, (_, n) => questionRow(n, { question: HOSTILE.repeat(5) })))],
  ['a hostile item', opened(hostileItem())],
  [
    'a hostile question',
    opened(
      itemView({
        ...questionRow(1, { question: HOSTILE, options: [HOSTILE.repeat(4)], details: { x: HOSTILE } }),
        details: null,
        artifact: null,
      }),
    ),
  ],
  ['a long comment', inboxAfter(typed(`c${'漢字 and words '.repeat(40)}`), opened(hostileItem())).state],
  [
    'a long refusal',
    inboxAfter([{ kind: 'failed', message: HOSTILE.repeat(5), hint: HOSTILE }], opened(hostileItem())).state,
  ],
];

describe.each(STATES)('%s', (_what, state) => {
  it.each(SIZES)('fills $columns x $rows exactly, with no line wider than the terminal', (size) => {
    const { lines } = inboxFrame(state, size);
    expect(lines).toHaveLength(size.rows);
    for (const { text } of lines) expect(stringWidth(text), text).toBeLessThanOrEqual(size.columns);
  });

  it('prints foreign text only: nothing that moves, colours, titles, rings or reorders', () => {
    const { lines } = inboxFrame(state, { columns: 80, rows: 400 });
    for (const { text } of lines)
      expect(text).not.toMatch(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
  });
});

describe('the list on the screen', () => {
  it('names the person, their roles and the place, and of each row what decides whether to open it', () => {
    const gate = { expiresAt: '2026-01-02T04:44:06.000Z', escalated: true, judgeScore: 0.254 };
    const text = textOf(
      listed(
        [
          taskRow(1, { gate }),
          questionRow(2),
          taskRow(3, {
            asked: askedSample({
              input: { text: 'Keys', chars: 4, isCut: false },
              you: { canDecide: false, whyNot: 'you submitted it' },
            }),
          }),
        ],
        { total: 10_000 },
      ),
    );
    expect(text).toContain('inbox of qa-1  1 of 10000  (qa)');
    expect(text).toMatch(
      /^> qa {2}release: Release 1\.7 {2}from dana {2}10 min {2}escalated, judge 0\.25, expires in 1 h 30 min {2}0+1:writer$/m,
    );
    expect(text).toMatch(/^ {2}input {2}release: Release 1\.7 {2}from dana {2}10 min {2}Which region\?$/m);
    expect(text).toMatch(/^ {2}qa .* not yours to decide/m);
  });

  it('keeps the row of the cursor in view, wherever it stands', () => {
    const rows = Array.from({ length: 90 }, (_, n) => taskRow(n));
    for (const cursor of [0, 10, 45, 88, 89]) {
      for (const size of SIZES.slice(0, 4)) {
        const marked = inboxFrame({ ...listed(rows), cursor }, size).lines.filter((line) => line.text.startsWith('> '));
        expect(marked).toHaveLength(1);
      }
    }
  });

  it('says when nothing waits, and whom it does not know', () => {
    // Nobody knows yet: the roles are read with the first page.
    expect(textOf(openInbox('qa-1').state)).not.toContain('holds no role');
    expect(textOf(listed([], { roles: [] }))).toMatch(/inbox of qa-1, who holds no role[\s\S]*nothing waits for you/);
  });
});

describe('an item on the screen', () => {
  it('shows in one view who decided, who is waited for, what the checks said, and the artifact', () => {
    const resolutions = [
      {
        itemId: 'i',
        role: 'qa',
        scope: 'release',
        status: 'approved' as const,
        resolvedBy: 'qa-2',
        comment: 'fine',
        round: 0,
        at: '',
        stale: false,
        carriedFrom: null,
      },
    ];
    const text = textOf(opened(itemView({ details: detailsOf({ resolutions, stuck: ['nobody can sign for lead'] }) })));
    for (const words of [
      'sign for qa (release)  000000000001:writer of release',
      'approved by qa-2 for qa, round 0: fine',
      'waits for ops (release): ops-1',
      'nobody can sign for lead',
      'submitted by dana, who may not approve',
      'escalated: judge did not pass after 1 retries',
      'judge fit: fail (0.25): no',
      'critique: too long',
      'finding: low',
      `sha256 ${'d'.repeat(64)}`,
      '  two',
    ])
      expect(text).toContain(words);
  });

  it('shows what changed since the person decided last, by signs and not by colour alone', () => {
    const text = textOf(opened(itemView({ previous: previousOf('one\n2\nthree\n') })));
    expect(text).toMatch(
      /changes since your decision in round 0 \(changes_requested\)\n {2}@@ -1,3 \+1,3 @@\n {3}one\n {2}-2\n {2}\+two\n {3}three/,
    );
  });

  it('compares JSON by its fields, and says when only its bytes differ', () => {
    const json = (text: string) => artifactOf(text, { mediaType: 'application/json' });
    const before = previousOf('{"a":1,"b":2}', 'application/json');
    expect(textOf(opened(itemView({ previous: before, artifact: json('{"a":1,"b":3}') })))).toMatch(
      /-\s+"b": 2\n\s+\+\s+"b": 3/,
    );
    expect(textOf(opened(itemView({ previous: before, artifact: json('{"a": 1, "b": 2}') })))).toContain(
      'the content is equal',
    );
  });

  it('says so where a comparison is not possible or not needed', () => {
    const equal = { ...previousOf('x'), artifact: artifactOf('one\ntwo\nthree\n') };
    expect(textOf(opened(itemView({ previous: equal })))).toContain('none: the bytes are equal');
    expect(textOf(opened(itemView({ previous: previousOf(null) })))).toContain('the bytes differ, and are not text');
    expect(textOf(opened(itemView({ artifact: artifactOf(null) })))).toContain('the bytes are not text');
    const [many, other] = ['a', 'b'].map((sign) => Array.from({ length: 6_000 }, (_, n) => `${sign}${n}`).join('\n'));
    expect(textOf(opened(itemView({ previous: previousOf(many ?? ''), artifact: artifactOf(other ?? '') })))).toContain(
      'hardly a line in common',
    );
  });

  it('tells where one is in a long text, and draws what is there for the scrolling', () => {
    const long = itemView({ artifact: artifactOf(Array.from({ length: 500 }, (_, n) => `line ${n}`).join('\n')) });
    const first = inboxFrame(opened(long), { columns: 80, rows: 24 });
    expect(first.lines[1]?.text).toMatch(/^lines 1 to 20 of 5\d\d$/);
    expect(first.size).toMatchObject({ view: 20, sections: [0, 7, 11, 17] });
    const last = inboxFrame({ ...opened(long), scroll: first.size.lines }, { columns: 80, rows: 24 });
    expect(last.lines.map((line) => line.text)).toContain('  line 499');
  });

  it('offers for a question its options by number, and says when no other answer is taken', () => {
    const question = itemView({ ...questionRow(1, { freeTextAllowed: false }), details: null, artifact: null });
    expect(textOf(opened(question))).toMatch(
      /Which region\?\n {2}0 {2}eu\n {2}1 {2}us\n {2}answer with one of the options; `kit review answer` takes your own words: --comment/,
    );
    expect(textOf(opened(question))).toContain('t answer · r reject');
  });

  it('offers for a permission no answer in words, which would be refused', () => {
    const permission = itemView({ ...questionRow(1, { kind: 'permission' }), details: null, artifact: null });
    expect(textOf(opened(permission))).toContain('a approve · r reject · q back');
    expect(textOf(opened(permission))).not.toContain('t answer');
  });

  it('keeps the way back in sight at 50 columns, and says what every key does for ?', () => {
    expect(textOf(opened(), { columns: 50, rows: 15 })).toMatch(/c request changes · q back$/);
    expect(textOf(inboxAfter(typed('?'), opened()).state)).toContain('any key goes back');
    expect(textOf(inboxAfter(typed('?'), opened()).state, { columns: 60, rows: 24 })).not.toContain('…');
  });

  it('wraps a refusal so that the line to type instead can be read, and shows the end of a long comment', () => {
    const hint = `qa-2 can: kit review resolve mpa-${'0'.repeat(12)}:writer-0-qa --as qa-2 --approve`;
    const refused = inboxAfter([{ kind: 'failed', message: 'you may not', hint }], opened()).state;
    expect(textOf(refused, { columns: 40, rows: 20 })).toContain('--approve)');
    const typing = inboxAfter(typed(`c${'word '.repeat(100)}end`), opened()).state;
    expect(textOf(typing, { columns: 40, rows: 20 })).toContain('end_');
  });

  it('marks every tone by words or signs: without colour the same is said', () => {
    const frame = inboxFrame(opened(hostileItem()), { columns: 80, rows: 400 });
    const bad = frame.lines
      .filter((line) => line.tone === 'bad' || line.tone === 'good')
      .map((line) => line.text.trim());
    expect(bad.length).toBeGreaterThan(2);
  });
});
