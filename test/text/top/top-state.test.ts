import { describe, expect, it } from 'vitest';
import { topFrame } from '../../../src/text/top/top-frame.js';
import { OPEN_TOP, reduceTop, type TopState } from '../../../src/text/top/top-state.js';
import { seenOf } from '../../support/fleet-samples.js';
import { itemOf, overviewOf, runOf } from './samples.js';

const SIZE = { columns: 80, rows: 12 };
const frame = (state: TopState, size = SIZE) => topFrame(state, { workspace: 'shop', color: false, size });
const drawn = (state: TopState, size = SIZE): TopState =>
  reduceTop(state, { kind: 'drawn', size: frame(state, size).size, rows: frame(state, size).targets });
const press = (state: TopState, ...kinds: readonly ('enter' | 'up' | 'down' | 'escape' | 'backspace')[]): TopState =>
  kinds.reduce((now, kind) => drawn(reduceTop(now, { kind: 'key', key: { kind } })), state);
const text = (state: TopState): string => frame(state).lines.join('\n');
const key = (state: TopState, ...texts: readonly string[]): TopState =>
  texts.reduce((now, one) => drawn(reduceTop(now, { kind: 'key', key: { kind: 'text', text: one } })), state);
const many = drawn(
  reduceTop(OPEN_TOP, {
    kind: 'seen',
    overview: overviewOf({
      members: { rows: Array.from({ length: 20 }, (_, n) => seenOf({ hostname: `host-${n}` })), total: 20 },
    }),
  }),
);

describe('the screen of a fleet', () => {
  it('says that it reads before anything was read, or why it cannot', () => {
    expect(text(OPEN_TOP)).toContain('shop  reading ...');
    expect(text(reduceTop(OPEN_TOP, { kind: 'failed', message: 'no database' }))).toContain('shop  no database');
  });

  it('keeps the page before a look that failed, and says how old it is', () => {
    const failed = reduceTop(many, { kind: 'failed', message: 'no database' });

    expect(text(failed)).toContain('shop  as of 03:04:05Z: no database');
    expect(text(failed)).toContain('host-0');
    expect(text(reduceTop(failed, { kind: 'seen', overview: overviewOf() }))).toMatch(/^shop {2}03:04:05Z$/m);
  });

  it('scrolls by lines and pages, no further than the page is long, and stays where it is at the next look', () => {
    expect(text(many)).toContain('lines 1 to 10 of 29');
    expect(text(key(many, 'j', 'j', 'k'))).toContain('lines 2 to 11 of 29');
    expect(text(key(many, ' '))).toContain('lines 11 to 20 of 29');
    expect(text(key(many, ' ', ' ', ' '))).toContain('lines 20 to 29 of 29');
    expect(text(key(many, 'k'))).toContain('lines 1 to 10 of 29');

    const end = drawn(reduceTop(many, { kind: 'key', key: { kind: 'end' } }));
    expect(text(end)).toContain('lines 20 to 29 of 29');
    expect(text(reduceTop(end, { kind: 'seen', overview: many.overview ?? overviewOf() }))).toContain(
      'lines 20 to 29 of 29',
    );
    expect(drawn(reduceTop(end, { kind: 'seen', overview: overviewOf() })).scroll).toBe(0);
    expect(drawn(reduceTop(end, { kind: 'key', key: { kind: 'home' } })).scroll).toBe(0);
  });

  it('is left with q and escape, and interrupted by Ctrl-C', () => {
    expect(key(many, 'q').left).toBe('quit');
    expect(reduceTop(many, { kind: 'key', key: { kind: 'escape' } }).left).toBe('quit');
    expect(reduceTop(many, { kind: 'key', key: { kind: 'interrupt' } }).left).toBe('interrupted');
    expect(key(many, 'x').left).toBeNull();
  });

  it.each([
    { columns: 80, rows: 24 },
    { columns: 40, rows: 10 },
    { columns: 10, rows: 3 },
    { columns: 80, rows: 1 },
  ])('never has more lines than the terminal: $columns x $rows', (size) => {
    expect(frame(many, size).lines.length).toBeLessThanOrEqual(size.rows);
  });

  const busy = drawn(
    reduceTop(OPEN_TOP, {
      kind: 'seen',
      overview: overviewOf({
        runs: { rows: [runOf(), runOf({ id: 'ddddeeeeffff', topology: 'nightly' })], total: 2 },
        waiting: {
          rows: [itemOf(), itemOf({ id: 'q', gateId: null, jobId: '111122223333', kind: 'input' })],
          total: 2,
        },
      }),
    }),
  );
  const marked = (state: TopState): readonly string[] => frame(state).lines.filter((line) => line.startsWith('▸ '));

  it('chooses runs and gates one by one, brings them into view, and opens what is chosen', () => {
    expect(marked(busy)).toEqual([]);
    expect(marked(press(busy, 'down'))).toEqual([expect.stringContaining('aaaabbbbcccc')]);
    expect(marked(press(busy, 'down', 'down'))).toEqual([expect.stringContaining('ddddeeeeffff')]);
    const question = press(busy, 'down', 'down', 'down', 'down', 'down');
    expect(marked(question)).toEqual([expect.stringContaining('111122223333')]);

    const roles = drawn(
      reduceTop(OPEN_TOP, {
        kind: 'seen',
        overview: overviewOf({ waiting: { rows: [itemOf(), itemOf({ id: 'other', role: 'ops' })], total: 2 } }),
      }),
    );
    expect(marked(press(roles, 'down', 'down'))).toEqual([expect.stringContaining('ops')]);

    expect(press(busy, 'enter').wish).toBeNull();
    expect(press(busy, 'down', 'down', 'down', 'enter').wish).toEqual({ kind: 'open', what: 'aaaabbbbcccc:writer' });
    expect(press(question, 'enter').wish).toEqual({ kind: 'open', what: '111122223333' });
  });

  it('shows what was opened over the page, and is back with q or escape', () => {
    const lines = Array.from({ length: 30 }, (_, n) => `because ${n}`).join('\n');
    const opened = drawn(reduceTop(press(busy, 'down'), { kind: 'opened', title: 'aaaabbbbcccc', text: lines }));

    expect(text(opened)).toMatch(/^shop {2}aaaabbbbcccc {2}03:04:05Z\nbecause 0\n/);
    expect(text(key(opened, 'j'))).toContain('lines 2 to 11 of 30 · q back');
    for (const back of [key(opened, 'q'), press(opened, 'escape')]) {
      expect(back.left).toBeNull();
      expect(marked(back)).toEqual([expect.stringContaining('aaaabbbbcccc')]);
    }
    expect(reduceTop(opened, { kind: 'key', key: { kind: 'interrupt' } }).left).toBe('interrupted');
  });

  it('stops the run of what is chosen after a yes, and after nothing else', () => {
    expect(text(key(busy, 's'))).toContain('choose a run');
    const asked = key(press(busy, 'down', 'down'), 's');
    expect(text(asked)).toContain('stop run ddddeeeeffff? y stops it');
    expect(key(asked, 'y').wish).toEqual({ kind: 'stop', run: 'ddddeeeeffff' });
    for (const other of ['n', 'Y', 'q', 's', ' ']) {
      expect(key(asked, other)).toMatchObject({ wish: null, mode: { kind: 'page' }, left: null });
      expect(text(key(asked, other))).toContain('run ddddeeeeffff goes on');
    }
    expect(press(asked, 'enter')).toMatchObject({ wish: null, mode: { kind: 'page' } });
    expect(reduceTop(key(asked, 'y'), { kind: 'taken' }).wish).toBeNull();
    expect(text(reduceTop(asked, { kind: 'noted', text: 'it\nstops' }))).toContain('it stops');
  });

  it('filters by what a row shows, says so, and shows all again with escape', () => {
    const filtered = key(busy, '/', 'N', 'i', 'g', 'h', 'q');
    expect(text(filtered)).toContain('/Nighq▏');
    const found = press(filtered, 'backspace', 'enter');
    expect(text(found)).toContain('ddddeeeeffff');
    expect(text(found)).not.toContain('aaaabbbbcccc');
    expect(text(found)).toContain('only Nigh · Esc shows all');
    expect(text(key(busy, '/', 'writer DDDD'))).toContain('ddddeeeeffff');
    expect(press(found, 'escape')).toMatchObject({ filter: '', left: null });
    expect(press(press(found, 'escape'), 'escape').left).toBe('quit');
  });

  it('lists its keys with ?, and is back with q', () => {
    const help = key(many, '?');

    expect(text(help)).toContain('shop  what keys do');
    expect(text(help)).toMatch(/s +stop the chosen run/);
    expect(text(key(help, 'q'))).toContain('? keys · q leave');
    expect(key(help, 'q').left).toBeNull();
  });
});
