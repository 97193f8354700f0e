import { describe, expect, it } from 'vitest';
import { topFrame } from '../../../src/ui/top/top-frame.js';
import { OPEN_TOP, reduceTop, type TopState } from '../../../src/ui/top/top-state.js';
import { seenOf } from '../../support/fleet-samples.js';
import { overviewOf } from './samples.js';

const SIZE = { columns: 80, rows: 12 };
const frame = (state: TopState, size = SIZE) => topFrame(state, { workspace: 'shop', color: false, size });
const drawn = (state: TopState, size = SIZE): TopState =>
  reduceTop(state, { kind: 'drawn', size: frame(state, size).size });
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
});
