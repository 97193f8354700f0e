import { describe, expect, it } from 'vitest';
import type { InboxRow } from '../../../src/app/review/review-app.js';
import { inboxFrame } from '../../../src/text/inbox/inbox-layout.js';
import type { InboxState } from '../../../src/text/inbox/inbox-state.js';
import { rowWords } from '../../../src/text/inbox/row-words.js';
import { askedSample, hostileAsked } from '../../support/asked-samples.js';
import { drawn, inboxAfter, itemView, key, listed, opened, pageOf, questionRow, taskRow, typed } from './samples.js';

/** A row whose request and submitter are said. */
function row(n: number, input: string, over: Parameters<typeof askedSample>[0] = {}): InboxRow {
  const { item } = taskRow(n);
  return {
    ...taskRow(n),
    item: { ...item, createdAt: `2026-01-02T03:0${n % 10}:00.000Z` },
    asked: askedSample({ runId: item.jobId, input: { text: input, chars: input.length, isCut: false }, ...over }),
  };
}

const shown = (state: InboxState): readonly string[] =>
  inboxFrame(state, { columns: 120, rows: 30 }).lines.map(({ text }) => text.trimEnd());
const listOf = (state: InboxState): readonly string[] => shown(state).filter((text) => /^[> ][* ]qa/.test(text));

const THREE = [
  row(1, 'Release 1.7', { labels: { team: 'core' } }),
  row(2, 'Release 1.8', { submittedBy: { identity: 'bob', assurance: 'asserted' } }),
  row(3, 'Rotate keys', { topology: { name: 'ops', version: null, description: null } }),
];

describe('/', () => {
  it('leaves the rows that have every word, in any case and in any field, while it is typed', () => {
    const typing = inboxAfter(typed('/RELEASE bob'), listed(THREE)).state;
    expect(listOf(typing)).toEqual([expect.stringContaining('Release 1.8')]);
    expect(shown(typing)[1]).toBe('/RELEASE bob_');
    expect(shown(typing)[0]).toContain('1 of 1 that fit, of 3');
    const kept = inboxAfter([key('enter')], typing).state;
    expect(shown(kept)[1]).toBe('/RELEASE bob');
    // q leaves again; Esc first takes the filter back.
    expect(inboxAfter([key('escape')], kept).state).toMatchObject({ filter: '', left: null });
    expect(inboxAfter(typed('q'), kept).state.left).toBe('quit');
    expect(listOf(inboxAfter(typed('/team=core'), listed(THREE)).state)).toHaveLength(1);
    expect(shown(inboxAfter(typed('/nothing'), listed(THREE)).state).join('\n')).toContain('nothing fits the filter');
  });

  it('opens the row that is shown, not the one that stood there', () => {
    const { effects } = inboxAfter([...typed('/rotate'), key('enter'), key('enter')], listed(THREE));
    expect(effects.at(-1)).toEqual({ kind: 'open', itemId: THREE[2]?.item.id });
  });

  it('reads what is not read yet, in wide pages, up to a bound that it tells', () => {
    const begun = inboxAfter(typed('/'), listed(THREE, { hasMore: true, total: 9_000 }));
    expect(begun.effects).toEqual([{ kind: 'page', afterId: THREE[2]?.item.id, limit: 200 }]);
    const many = Array.from({ length: 2_000 }, (_, n) => taskRow(n));
    const page = { kind: 'page', page: pageOf(many, { hasMore: true, total: 9_000 }), afterId: null } as const;
    const full = inboxAfter([page], begun.state);
    expect(full.effects).toEqual([]);
    expect(shown(full.state)[1]).toContain('only the oldest 2000 of 9000 are looked at');
  });
});

describe('s', () => {
  it('sorts by age, topology and submitter, and comes back to the oldest', () => {
    const orders = [1, 2, 3, 4].map((times) => {
      const { state } = inboxAfter(typed('s'.repeat(times)), listed(THREE));
      return [shown(state)[1], ...listOf(state).map((text) => /Rel\S+ \S+|Rotate/.exec(text)?.[0])];
    });
    expect(orders).toEqual([
      ['newest first', 'Rotate', 'Release 1.8', 'Release 1.7'],
      ['by topology', 'Rotate', 'Release 1.7', 'Release 1.8'],
      ['by submitter', 'Release 1.8', 'Release 1.7', 'Rotate'],
      ['', 'Release 1.7', 'Release 1.8', 'Rotate'],
    ]);
  });
});

describe('items that ask the same', () => {
  it('are marked together and decided after their number and a question', () => {
    const marked = inboxAfter(typed('M'), listed(THREE)).state;
    expect(marked.marked).toEqual([THREE[0]?.item.id, THREE[1]?.item.id]);
    expect(shown(marked)[1]).toBe('2 marked');
    const asked = inboxAfter([...typed('aas before'), key('enter')], marked);
    expect(asked.effects).toEqual([]);
    expect(shown(asked.state).join('\n')).toContain('approve 2 items of release for qa as qa-1: as before? y decides');
    const done = inboxAfter(typed('y'), asked.state);
    expect(done.effects).toEqual([
      { kind: 'decide-many', itemIds: marked.marked, areTasks: true, outcome: 'approve', comment: 'as before' },
    ]);
    expect(inboxAfter([{ kind: 'recorded', text: '2 of 2 recorded' }], done.state).state.marked).toEqual([]);
    // Any other key takes the question back, and what was typed stays.
    const back = inboxAfter(typed('n'), asked.state);
    expect([back.effects, back.state.isConfirming, back.state.draft?.text]).toEqual([[], false, 'as before']);
  });

  it('are marked one by one, and nothing else with them', () => {
    const two = inboxAfter(typed('mm'), listed(THREE)).state;
    expect(two.marked).toHaveLength(2);
    const other = inboxAfter(typed('m'), two).state;
    expect([other.marked.length, other.message?.text]).toEqual([2, expect.stringContaining('asks something else')]);
    expect(inboxAfter([key('escape')], other).state.marked).toEqual([]);
    expect(inboxAfter(typed('a'), listed(THREE)).state.message?.text).toContain('mark several with m');
    const questions = inboxAfter(typed('Mc'), listed([questionRow(1), questionRow(2)])).state;
    expect([questions.draft, questions.message?.tone]).toEqual([null, 'warn']);
    const approved = inboxAfter(typed('Ma'), listed([questionRow(1), questionRow(2)])).state;
    expect([approved.draft, approved.message?.text]).toEqual([null, expect.stringContaining('answer it')]);
  });

  it('leave out what is not theirs to decide', () => {
    const blocked = row(4, 'Release 1.9', { you: { canDecide: false, whyNot: 'you submitted it' } });
    expect(inboxAfter(typed('M'), listed([...THREE, blocked])).state.marked).toHaveLength(2);
  });
});

describe('what other people do meanwhile', () => {
  it('is looked up at each tick, unless something is typed or under way', () => {
    expect(inboxAfter([{ kind: 'tick' }], listed(THREE)).effects).toEqual([
      { kind: 'refresh', itemId: null, limit: 50 },
    ]);
    expect(inboxAfter([{ kind: 'tick' }], opened()).effects).toEqual([
      { kind: 'refresh', itemId: itemView().item.id, limit: 50 },
    ]);
    for (const state of [
      inboxAfter(typed('c'), opened()).state,
      inboxAfter(typed('/'), listed(THREE)).state,
      inboxAfter([key('enter')], listed(THREE)).state,
    ])
      expect(inboxAfter([{ kind: 'tick' }], state).effects).toEqual([]);
  });

  it('keeps the cursor at its item, and marks of what still waits', () => {
    const [first, second, third] = THREE as [InboxRow, InboxRow, InboxRow];
    const at = inboxAfter(typed('mm'), listed(THREE)).state;
    const news = { kind: 'refreshed', page: pageOf([second, third, row(5, 'New')]), item: null } as const;
    const { state } = inboxAfter([news], at);
    expect(state.rows[state.cursor]?.item.id).toBe(third.item.id);
    expect(state.marked).toEqual([second.item.id]);
    expect(state.rows.some(({ item }) => item.id === first.item.id)).toBe(false);
  });

  it('is told in an open item where it changed, and the text stays where it was', () => {
    const at = inboxAfter([drawn(10), key('page-down')], opened()).state;
    const same = inboxAfter([{ kind: 'refreshed', page: null, item: itemView() }], at).state;
    expect([same.item, same.message]).toEqual([at.item, null]);
    const view = itemView();
    const decided = itemView({ item: { ...view.item, status: 'approved' } });
    const { state } = inboxAfter([{ kind: 'refreshed', page: null, item: decided }], at);
    expect([state.item?.item.status, state.scroll, state.message?.text]).toEqual([
      'approved',
      at.scroll,
      'it is approved meanwhile',
    ]);
  });
});

describe('what tells rows apart', () => {
  it('is the end of inputs that begin alike, and label or run of those that are the same', () => {
    const long = 'Check the release notes of version';
    const words = [...rowWords([row(1, `${long} 1.7`), row(2, `${long} 1.8`)], 120).values()];
    expect(words).toEqual(['release: …1.7', 'release: …1.8']);
    const same = rowWords(
      [row(1, 'x', { labels: { team: 'core' } }), row(2, 'x'), row(3, 'x', { correlationId: 'c-9' })],
      120,
    );
    expect([...same.values()]).toEqual([
      'release: x  team=core run 000000000001',
      'release: x  run 000000000002',
      'release: x  c-9',
    ]);
    expect([...rowWords([row(1, 'x')], 120).values()]).toEqual(['release: x']);
  });

  it.each([60, 80])('leaves room for who asked and how long ago, at %i columns', (columns) => {
    const long = 'Please write the notes of the release, which is a text that fits no line';
    const lines = inboxFrame(
      listed([row(1, long, { runId: '1a2b3c4d5e6f' }), row(2, long, { runId: '2a2b3c4d5e6f' })]),
      { columns, rows: 20 },
    ).lines.map(({ text }) => text);
    const rows = lines.filter((text) => text.includes('release: Please'));
    expect(rows).toHaveLength(2);
    for (const text of rows) expect(text).toMatch(/ {2}run [12]a2b3c {2}from \w+ {2}\d+ \w+/);
  });

  it('moves no cursor, whatever it holds', () => {
    const hostile = [1, 2].map((n) => ({ ...row(n, ''), asked: { ...hostileAsked(), runId: `${n}` } }));
    const lines = inboxFrame(listed(hostile), { columns: 200, rows: 20 }).lines.map(({ text }) => text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });
});

it('offers no key of a row where there is none', () => {
  const foot = (state: InboxState): string => shown(state).at(-1) ?? '';
  expect(foot(listed(THREE))).toContain('enter open');
  expect(foot(listed([]))).not.toMatch(/enter open|m mark|↑↓ move/);
  expect(foot(listed([]))).toContain('g read again');
  const filtered = inboxAfter([...typed('/nothing'), key('enter')], listed(THREE)).state;
  expect(foot(filtered)).not.toContain('enter open');
  expect(foot(filtered)).toContain('esc take it back');
});

it('a key that an item does not take opens nothing, and says which it takes', () => {
  const at = (kind: 'input' | 'permission' | 'role_task') =>
    opened(
      itemView({ ...(kind === 'role_task' ? taskRow(1) : questionRow(1, { kind })), details: null, artifact: null }),
    );
  const after = (kind: Parameters<typeof at>[0], keys: string) => inboxAfter(typed(keys), at(kind)).state;

  expect(after('input', 'a')).toMatchObject({
    draft: null,
    message: { tone: 'bad', text: 'this item takes t answer · r reject' },
  });
  expect(after('permission', 't')).toMatchObject({
    draft: null,
    message: { text: 'this item takes a approve · r reject' },
  });
  expect(after('role_task', 't')).toMatchObject({
    draft: null,
    message: { text: 'this item takes a approve · r reject · c request changes' },
  });
  expect(after('input', 't')).toMatchObject({ draft: { action: 'answer' }, message: null });
});
