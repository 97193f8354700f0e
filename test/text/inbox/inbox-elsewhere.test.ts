import { describe, expect, it } from 'vitest';
import type { GateElsewhere } from '../../../src/domain/ports/remote-waits.js';
import { inboxFrame } from '../../../src/text/inbox/inbox-layout.js';
import type { InboxState } from '../../../src/text/inbox/inbox-state.js';
import { HOSTILE } from '../../support/asked-samples.js';
import { inboxAfter, key, listed, pageOf, taskRow, typed } from './samples.js';

const gate = (n: number, over: Partial<GateElsewhere> = {}): GateElsewhere => ({
  jobId: `${n}`.padStart(12, '0'),
  topology: 'front',
  agent: 'Desk',
  gateUrl: `https://desk.test/gates/${n}`,
  ...over,
});
const shown = (state: InboxState, rows = 12): readonly string[] =>
  inboxFrame(state, { columns: 120, rows }).lines.map(({ text }) => text.trimEnd());
const ROWS = [taskRow(1), taskRow(2)];
const THERE = [gate(1), gate(2, { topology: 'back' })];
const down = (times: number) => Array.from({ length: times }, () => key('down'));

describe('what people elsewhere decide', () => {
  it('stands below the rows with its address, and beside an empty list', () => {
    const lines = shown(listed(ROWS, { elsewhere: THERE }));
    expect(lines[1]).toBe('2 decisions elsewhere, below the last row');
    expect(lines[4]).toBe(
      '  elsewhere  front  decided at https://desk.test/gates/1  by people of Desk  run 000000000001',
    );
    expect(lines[5]).toContain('back  decided at https://desk.test/gates/2');
    const alone = shown(listed([], { elsewhere: THERE }));
    expect(alone[2]).toContain('nothing waits for you');
    expect(alone[3]).toContain('> elsewhere  front');
    expect(shown(listed(ROWS)).join()).not.toContain('elsewhere');
  });

  it('can be looked at, and neither opened, marked nor decided', () => {
    const at = inboxAfter(down(9), listed(ROWS, { elsewhere: THERE })).state;
    expect(shown(at)[5]).toMatch(/^> elsewhere {2}back/);
    for (const press of [[key('enter')], ...['a', 'r', 'c', 'm', 'M'].map(typed)]) {
      const { state, effects } = inboxAfter(press, at);
      expect(effects).toEqual([]);
      expect(state).toMatchObject({ item: null, draft: null, marked: [] });
      expect(state.message?.text).toBe('Nobody decides it here. People of Desk do, at https://desk.test/gates/2');
    }
    expect(inboxAfter(typed('q'), at).state.left).toBe('quit');
  });

  it('leaves what is marked above to be decided', () => {
    const at = inboxAfter([...typed('M'), ...down(9), ...typed('a')], listed(ROWS, { elsewhere: THERE })).state;
    expect(at.draft).toEqual({ action: 'approve', text: '' });
  });

  it('fits the filter or is not shown, and waits for the last page', () => {
    const filtered = shown(inboxAfter(typed('/desk BACK'), listed(ROWS, { elsewhere: THERE })).state);
    expect(filtered.filter((line) => line.includes('decided at'))).toEqual([expect.stringContaining('back')]);
    const more = shown(listed(ROWS, { elsewhere: THERE, hasMore: true, total: 9 }));
    expect(more.filter((line) => line.includes('decided at'))).toEqual([]);
    expect(more[1]).toBe('2 decisions elsewhere, below the last row');
  });

  it('scrolls with the cursor, and keeps its place when the list is read again', () => {
    const many = Array.from({ length: 40 }, (_, n) => gate(n));
    const at = inboxAfter(down(21), listed(ROWS, { elsewhere: many })).state;
    expect(shown(at).find((line) => line.startsWith('>'))).toContain('gates/19');
    const page = pageOf([...ROWS, taskRow(3)], { elsewhere: many.slice(5) });
    const again = inboxAfter([{ kind: 'refreshed', page, item: null }], at).state;
    expect(shown(again).find((line) => line.startsWith('>'))).toContain('gates/19');
    const gone = inboxAfter([{ kind: 'refreshed', page: pageOf(ROWS), item: null }], at).state;
    expect(gone.cursor).toBe(1);
  });

  it('is the word of a stranger: nothing in it moves a cursor', () => {
    const elsewhere = [gate(1, { topology: HOSTILE, agent: HOSTILE.repeat(9), gateUrl: `https://d.test/${HOSTILE}` })];
    const state = inboxAfter([...down(9), key('enter')], listed(ROWS, { elsewhere })).state;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(shown(state).join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  });
});
