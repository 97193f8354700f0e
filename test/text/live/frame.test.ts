import fc from 'fast-check';
import { renderToString } from 'ink';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { type Frame, type FrameOptions, finalFrame, liveFrame } from '../../../src/text/live/frame.js';
import { type LiveState, NOTHING_SHOWN } from '../../../src/text/live/live-state.js';
import { FrameView } from '../../../src/ui/frame-view.js';
import { rowsAfterResize } from '../../../src/ui/reflow.js';
import { RUN_SKETCH, runStarted, skillExecuted, storedEvents } from '../../support/stored-events.js';
import { completed, started, viewOf, wide } from './views.js';

const OPTIONS: FrameOptions = {
  nowMs: Date.parse(storedEvents(RUN_SKETCH).at(-1)?.timestamp ?? '') + 1_000,
  columns: 80,
  rows: 24,
  verbose: false,
};
const stateOf = (view: LiveState['view'], part: Partial<LiveState> = {}): LiveState => ({
  ...NOTHING_SHOWN,
  view,
  ...part,
});
const drawn = (frame: Frame, columns = 80): readonly string[] =>
  renderToString(createElement(FrameView, { frame, look: { color: false, columns } }), { columns }).split('\n');
const live = (state: LiveState, options: Partial<FrameOptions> = {}): readonly string[] =>
  drawn(liveFrame(state, { ...OPTIONS, ...options }), options.columns);

describe('liveFrame', () => {
  it('shows one moment of a run: who is at what, with time, tokens and cost', () => {
    expect(
      drawn(liveFrame(stateOf(viewOf(RUN_SKETCH.slice(0, 9))), { ...OPTIONS, columns: 100 }), 100),
    ).toMatchInlineSnapshot(`
      [
        "demo@1.0.0  16.0 s  run 0123456789ab",
        "● lead       waits for 2 agents                               15.0 s   100 in, 20 out         $0.250",
        "├─ ● tester  node --test                                      13.0 s",
        "└─ ● reader  calling tools                                    12.0 s   100 in, 20 out   cost unknown",
        "0 of 3 agents done · 2 model calls · 1 tool call · 200 in, 40 out · $0.250+",
        "Ctrl-C stops the run",
      ]
    `);
  });

  it('says that it starts before the first event', () => {
    expect(live(NOTHING_SHOWN)).toEqual([
      'starting',
      '0 of 0 agents done · 0 model calls · 0 tool calls · 0 in, 0 out · $0',
      'Ctrl-C stops the run',
    ]);
  });

  it('takes fewer rows than the screen has, whatever its size and however many agents there are', () => {
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.nat(60),
        fc.integer({ min: 2, max: 40 }),
        fc.integer({ min: 4, max: 200 }),
        (children, over, rows, columns) => {
          const frame = liveFrame(stateOf(wide(children, over)), { ...OPTIONS, rows, columns, verbose: true });

          expect(frame.lines.length).toBeLessThanOrEqual(rows - 1);
        },
      ),
    );
  });

  it('draws one row for each line, none wider than the screen', () => {
    for (const columns of [8, 20, 40, 60, 84, 120]) {
      const frame = liveFrame(stateOf(wide(5, 2)), { ...OPTIONS, columns });
      const rows = drawn(frame, columns);

      expect(rows, `${columns}`).toHaveLength(frame.lines.length);
      expect(Math.max(...rows.map((row) => row.length)), `${columns}`).toBeLessThanOrEqual(columns);
    }
  });

  it('counts those that do not fit by what they are at', () => {
    expect(live(stateOf(wide(30, 10)), { rows: 10 })).toContain('… 26 more agents: 16 running, 10 done');
  });

  it('shows no row of an agent that ends in blanks, which a narrower terminal would break', () => {
    const frame = liveFrame(stateOf(viewOf(RUN_SKETCH.slice(0, 9))), { ...OPTIONS, columns: 120 });

    expect(frame.lines.filter((line) => line.kind === 'agent' && line.facts !== line.facts.trimEnd())).toEqual([]);
  });

  it('puts tool calls and the end of the streamed text below an agent that runs, with --verbose alone', () => {
    const view = viewOf([
      { type: 'run.started', payload: runStarted },
      started('root', null),
      { type: 'skill.executed', agentId: 'root', stepKey: 'root/t0/c0', payload: skillExecuted({ tool: 'read-file' }) },
      {
        type: 'skill.executed',
        agentId: 'root',
        stepKey: 'root/t0/c1',
        payload: skillExecuted({ tool: 'write', status: 'denied' }),
      },
    ]);
    const state = stateOf(view, { texts: { root: `${'word '.repeat(40)}and the end` } });

    expect(live(state, { verbose: true }).slice(2, 4)).toEqual([
      expect.stringMatching(/^….*and the end$/),
      '      read-file ✓ 30 ms · write ⊘ denied 30 ms',
    ]);
    expect(live(state).join('\n')).not.toMatch(/and the end|read-file ✓/);
  });

  it('keeps text of a model from the terminal: no escape sequence, no line break', () => {
    const state = stateOf(viewOf([started('root', null)]), { texts: { root: 'a\u001b[2Jb\nc\u001b]0;title\u0007d' } });

    expect(live(state, { verbose: true }).join('|')).toContain('» ab cd');
  });

  it('counts time from the last resume, and not while the run was parked', () => {
    const view = viewOf([
      { type: 'run.started', payload: runStarted },
      started('root', null),
      { type: 'run.stopped', payload: { requested_by: 'ann', at: '2030-01-01T00:00:00.000Z' } },
      { type: 'run.resumed', payload: { requested_by: 'ann', from_status: 'stopped' } },
    ]);

    const [head, root] = live(stateOf(view), { nowMs: Date.parse(view.resumedAt ?? '') + 2_500 });

    expect(head).toContain('2.5 s');
    expect(root).toMatch(/2\.5 s$/);
  });

  it('says that the run stops once somebody has asked for it', () => {
    const view = viewOf([
      started('root', null),
      { type: 'run.stopped', payload: { requested_by: 'ann', at: '2030-01-01T00:00:00.000Z' } },
    ]);

    expect(live(stateOf(view)).at(-1)).toBe('stopping once the steps in flight have ended; Ctrl-C again cuts them off');
  });

  it('names what a parked run waits for', () => {
    const state = stateOf(viewOf([started('root', null)]), {
      end: { status: 'deferred', waitingOn: ['0123456789ab:writer'] },
    });

    expect(live(state)).toContain('waits for 0123456789ab:writer');
  });
});

describe('finalFrame', () => {
  it('shows every agent as it ended, and those that were cut off', () => {
    const view = viewOf([
      started('root', null),
      started('root/a', 'root'),
      completed('root/a', { status: 'denied', reason: 'policy' }),
      started('root/b', 'root'),
    ]);

    const rows = drawn(
      finalFrame(stateOf(view, { end: { status: 'stopped', waitingOn: [] } }), { ...OPTIONS, columns: 50 }),
      50,
    );

    expect(rows.map((row) => row.replace(/ +[\d.]+ m?s$/, ''))).toEqual([
      '○ root  not finished',
      '├─ ⊘ a  denied: policy',
      '└─ ○ b  not finished',
    ]);
  });

  it('leaves no agent out, however many there are', () => {
    expect(finalFrame(stateOf(wide(200, 200)), OPTIONS).lines).toHaveLength(201);
  });

  it('keeps what a parked run waits for in sight', () => {
    const state = stateOf(viewOf([started('root', null)]), {
      end: { status: 'deferred', waitingOn: ['0123456789ab:writer'] },
    });

    expect(drawn(finalFrame(state, OPTIONS)).at(-1)).toBe('waits for 0123456789ab:writer');
  });
});

describe('rowsAfterResize', () => {
  it('counts the rows that a terminal makes of a frame when it breaks what no longer fits', () => {
    const frame: Frame = {
      lines: ['a'.repeat(50), 'b'.repeat(20), 'c'.repeat(200)].map((text) => ({
        kind: 'text',
        key: text,
        tone: 'plain',
        text,
        cut: 'end',
      })),
      nameWidth: 0,
      factsWidth: 0,
    };
    const node = createElement(FrameView, { frame, look: { color: false, columns: 100 } });

    expect(rowsAfterResize(node, { fromColumns: 100, toColumns: 100 })).toBe(3);
    expect(rowsAfterResize(node, { fromColumns: 100, toColumns: 50 })).toBe(1 + 1 + 2);
    expect(rowsAfterResize(node, { fromColumns: 100, toColumns: 33 })).toBe(2 + 1 + 4);
  });
});
