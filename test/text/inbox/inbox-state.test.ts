import { describe, expect, it } from 'vitest';
import { openInbox } from '../../../src/text/inbox/inbox-state.js';
import { askedSample } from '../../support/asked-samples.js';
import { drawn, inboxAfter, itemView, key, listed, opened, pageOf, questionRow, taskRow, typed } from './samples.js';

const rows = (count: number, from = 0) => Array.from({ length: count }, (_, index) => taskRow(from + index));

describe('the list of the inbox', () => {
  it('reads its first page when it opens, and nothing else can begin until it is there', () => {
    const { state, effect } = openInbox('qa-1');
    expect(effect).toEqual({ kind: 'page', afterId: null, limit: 50 });
    expect(inboxAfter([key('enter'), ...typed('g'), key('down')], state).effects).toEqual([]);
  });

  it('moves within its rows, by one, by a screen and to both ends', () => {
    const at = (...keys: Parameters<typeof key>[0][]) => inboxAfter(keys.map(key), listed(rows(50))).state.cursor;
    expect([
      at('up'),
      at('down'),
      at('down', 'down', 'up'),
      at('page-down'),
      at('end'),
      at('end', 'page-up'),
      at('end', 'home'),
    ]).toEqual([0, 1, 1, 20, 49, 29, 0]);
    expect(inboxAfter(typed('jjk'), listed(rows(50))).state.cursor).toBe(1);
    expect(inboxAfter([key('end'), key('down')], listed([])).state.cursor).toBe(0);
  });

  it('reads the next page once when the cursor comes near the end of what is there, and keeps its place', () => {
    const first = listed(rows(30), { total: 60, hasMore: true });
    const near = inboxAfter(Array(20).fill(key('down')), first);
    expect(near.effects).toEqual([{ kind: 'page', afterId: rows(30)[29]?.item.id, limit: 50 }]);
    expect(near.state.cursor).toBe(20);
    // While it is read, going on asks for no second one.
    expect(inboxAfter([key('down'), key('end')], near.state).effects).toEqual([]);
    const after = near.effects[0]?.kind === 'page' ? near.effects[0].afterId : null;
    const both = inboxAfter(
      [{ kind: 'page', page: pageOf(rows(30, 30), { total: 60 }), afterId: after }],
      near.state,
    ).state;
    expect([both.rows.length, both.cursor, both.hasMore]).toEqual([60, 20, false]);
    expect(inboxAfter([key('end')], both).effects).toEqual([]);
  });

  it('opens the row under the cursor, and one only', () => {
    const { effects } = inboxAfter(
      [key('down'), key('enter'), key('enter'), key('down'), key('enter')],
      listed(rows(3)),
    );
    expect(effects).toEqual([{ kind: 'open', itemId: rows(3)[1]?.item.id }]);
    expect(inboxAfter([key('enter')], listed([])).effects).toEqual([]);
  });

  it('is read again with g', () => {
    expect(inboxAfter(typed('g'), listed(rows(2))).effects).toEqual([{ kind: 'page', afterId: null, limit: 50 }]);
  });

  it('keeps the cursor on a row when the list became shorter', () => {
    const end = inboxAfter([key('end')], listed(rows(9))).state;
    expect(inboxAfter([{ kind: 'page', page: pageOf(rows(2)), afterId: null }], end).state.cursor).toBe(1);
  });

  it('is left with q or Escape, and interrupted with Ctrl-C wherever one is', () => {
    const left = (inputs: Parameters<typeof inboxAfter>[0], from = listed(rows(1))) =>
      inboxAfter(inputs, from).state.left;
    expect(left(typed('q'))).toBe('quit');
    expect(left([key('escape')])).toBe('quit');
    expect(left([key('interrupt')])).toBe('interrupted');
    expect(left([key('interrupt')], opened())).toBe('interrupted');
    expect(left([...typed('c'), ...typed('abc'), key('interrupt')], opened())).toBe('interrupted');
    expect(left([key('interrupt')], inboxAfter([...typed('a'), key('enter')], opened()).state)).toBe('interrupted');
  });
});

describe('an open item', () => {
  it('scrolls within its lines, by screens and by sections', () => {
    const at = (...inputs: Parameters<typeof inboxAfter>[0]) => inboxAfter(inputs, opened()).state.scroll;
    expect([
      at(key('up')),
      at(key('down')),
      at(key('page-down')),
      at(...typed(' ')),
      at(key('end')),
      at(key('end'), key('page-down')),
    ]).toEqual([0, 1, 10, 10, 90, 90]);
    expect([
      at(key('tab')),
      at(key('tab'), key('tab')),
      at(key('tab'), key('tab'), key('tab')),
      at(key('end'), key('home')),
    ]).toEqual([20, 60, 0, 0]);
  });

  it('stays within its lines when a larger terminal shows more of them', () => {
    expect(inboxAfter([key('end'), drawn(80)], opened()).state.scroll).toBe(20);
  });

  it('goes back to the list with q or Escape, and no decision is made', () => {
    for (const back of [typed('q'), [key('escape')]]) {
      const { state, effects } = inboxAfter(back, opened());
      expect([state.item, state.left, effects]).toEqual([null, null, []]);
    }
  });

  it('offers no decision to somebody who cannot make it, and says why', () => {
    for (const sign of ['a', 'r', 'c']) {
      const { state, effects } = inboxAfter(
        [...typed(sign), key('enter')],
        opened(itemView({ asked: askedSample({ you: { canDecide: false, whyNot: 'you submitted this run' } }) })),
      );
      expect(state.draft).toBeNull();
      expect(state.message).toEqual({ tone: 'bad', text: 'you submitted this run' });
      expect(effects).toEqual([]);
    }
  });
});

describe('what keys do', () => {
  it('is shown for ?, and any key goes back without doing anything else', () => {
    for (const from of [listed([taskRow(1)]), opened()]) {
      const help = inboxAfter(typed('?'), from);
      expect(help.state.isHelp).toBe(true);
      const back = inboxAfter(typed('q'), help.state);
      expect([back.state.isHelp, back.state.left, back.effects]).toEqual([false, null, []]);
      expect(back.state.item).toBe(from.item);
    }
    expect(inboxAfter(typed('c?'), opened()).state.draft?.text).toBe('?');
  });
});

describe('a decision', () => {
  const id = itemView().item.id;

  it.each([
    ['a', 'approve', ''],
    ['r', 'reject', 'too thin'],
    ['c', 'changes_requested', 'shorter'],
  ] as const)('%s and Enter send %s with the comment', (sign, outcome, comment) => {
    const { state, effects } = inboxAfter([...typed(sign), ...typed(`  ${comment} `), key('enter')], opened());
    expect(effects).toEqual([{ kind: 'resolve', itemId: id, outcome, comment }]);
    expect(state.busy).toBe('decide');
  });

  it('is sent once, whatever is typed while it is recorded', () => {
    const { effects, state } = inboxAfter(
      [
        ...typed('a'),
        key('enter'),
        key('enter'),
        ...typed('q'),
        key('escape'),
        key('backspace'),
        key('clear'),
        key('enter'),
      ],
      opened(),
    );
    expect(effects).toHaveLength(1);
    expect(state.draft).not.toBeNull();
  });

  it('to request changes needs a comment that says something', () => {
    const { state, effects } = inboxAfter([...typed('c'), ...typed('   '), key('enter')], opened());
    expect(effects).toEqual([]);
    expect(state.message).toEqual({ tone: 'warn', text: 'Say what should change; the agent works from it.' });
    expect(inboxAfter([...typed('x'), key('enter')], state).effects).toHaveLength(1);
  });

  it('to reject needs a reason: the run ends with it', () => {
    const { state, effects } = inboxAfter([...typed('r'), key('enter')], opened());
    expect(effects).toEqual([]);
    expect(state.message).toEqual({ tone: 'warn', text: 'Say why: the run ends, and the reason is kept with it.' });
  });

  it('is edited by the character, emptied, and taken back', () => {
    const draft = (...inputs: Parameters<typeof inboxAfter>[0]) =>
      inboxAfter([...typed('c'), ...inputs], opened()).state.draft;
    expect(draft(...typed('ab🙂'), key('backspace'))?.text).toBe('ab');
    expect(draft(...typed('ab'), key('clear'))?.text).toBe('');
    expect(draft(...typed('q r a'))?.text).toBe('q r a');
    expect(draft(...typed('ab'), key('escape'))).toBeNull();
  });

  it('takes a paste as one piece of its comment, and nothing that is pasted elsewhere decides anything', () => {
    const paste = { kind: 'key', key: { kind: 'paste', text: 'q a r' } } as const;
    expect(inboxAfter([...typed('c'), paste, ...typed('!')], opened()).state.draft?.text).toBe('q a r!');
    for (const from of [opened(), listed(rows(3))])
      expect(inboxAfter([paste], from)).toEqual({ state: from, effects: [] });
  });

  it('that is recorded is told, and the list is read anew', () => {
    const { state, effects } = inboxAfter([{ kind: 'recorded', text: 'recorded: approved' }], opened());
    expect([state.item, state.draft, state.message]).toEqual([
      null,
      null,
      { tone: 'good', text: 'recorded: approved' },
    ]);
    expect(effects).toEqual([{ kind: 'page', afterId: null, limit: 50 }]);
    // The page that comes does not wipe out what was said.
    expect(inboxAfter([{ kind: 'page', page: pageOf([]), afterId: null }], state).state.message?.text).toBe(
      'recorded: approved',
    );
  });

  it('tells what becomes of its run, and reads the list anew where nothing else is under way', () => {
    const reported = { kind: 'noticed', text: 'run 1 asks again: 1:writer' } as const;
    const inList = inboxAfter([reported], listed(rows(3)));
    expect(inList.state.message).toEqual({ tone: 'good', text: reported.text });
    expect(inList.effects).toEqual([{ kind: 'page', afterId: null, limit: 50 }]);
    // Whoever reads another item meanwhile goes on reading.
    const reading = inboxAfter([reported], opened());
    expect([reading.state.item?.item.id, reading.state.message?.text, reading.effects]).toEqual([
      id,
      reported.text,
      [],
    ]);
  });

  it('that is refused says why and keeps what was typed', () => {
    const sent = inboxAfter([...typed('r'), ...typed('too thin'), key('enter')], opened()).state;
    const { state, effects } = inboxAfter(
      [{ kind: 'failed', message: 'it is decided already', hint: 'look at the gate' }],
      sent,
    );
    expect(state.message).toEqual({ tone: 'bad', text: 'it is decided already (look at the gate)' });
    expect([state.busy, state.draft?.text, effects]).toEqual([null, 'too thin', []]);
  });
});

describe('an item that is not a role task', () => {
  const question = itemView({ ...questionRow(1), details: null, artifact: null });

  it.each([
    ['t', 'answer', '1'],
    ['a', 'approve', 'go'],
    ['r', 'reject', ''],
  ] as const)('%s sends %s', (sign, action, text) => {
    const other = itemView({ ...questionRow(1, { kind: 'other' }), details: null, artifact: null });
    const { effects } = inboxAfter([...typed(sign), ...typed(text), key('enter')], opened(other));
    expect(effects).toEqual([{ kind: 'answer', itemId: other.item.id, action, text }]);
  });

  it('knows no requested changes, a role task knows no answer, and an answer is not empty', () => {
    expect(inboxAfter(typed('c'), opened(question)).state.draft).toBeNull();
    expect(inboxAfter(typed('t'), opened()).state.draft).toBeNull();
    const { state, effects } = inboxAfter([...typed('t'), key('enter')], opened(question));
    expect([state.message?.tone, effects]).toEqual(['warn', []]);
  });
});
