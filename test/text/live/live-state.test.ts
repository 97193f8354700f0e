import { describe, expect, it } from 'vitest';
import { NOTHING_SHOWN, reduceLive } from '../../../src/text/live/live-state.js';
import { modelCalled } from '../../support/stored-events.js';
import { completed, started, viewOf } from './views.js';

const text = (piece: string) => ({ kind: 'text', activation: 'root', text: piece }) as const;

describe('reduceLive', () => {
  it('joins the pieces of a text, keeps its end alone, and forgets it when the call is recorded', () => {
    const running = [started('root', null)];
    const called = [
      ...running,
      { type: 'model.called' as const, agentId: 'root', stepKey: 'root/t0', payload: modelCalled({}) },
    ];
    const written = [text('one '), text('two'), text('x'.repeat(2_000))].reduce(
      reduceLive,
      reduceLive(NOTHING_SHOWN, { kind: 'view', view: viewOf(running) }),
    );

    const after = reduceLive(written, { kind: 'view', view: viewOf(called) });

    expect([text('one '), text('two')].reduce(reduceLive, NOTHING_SHOWN).texts).toEqual({ root: 'one two' });
    expect(written.texts.root).toBe('x'.repeat(600));
    expect(after.texts).toEqual({});
    expect(reduceLive(written, { kind: 'view', view: viewOf([...running, completed('root')]) }).texts).toEqual({});
  });

  it('says each warning once, as a line that a terminal only prints', () => {
    const gap = {
      type: 'skill.gap' as const,
      agentId: 'root',
      stepKey: 'root/t0/c0',
      payload: { tool: 'fly\u001b[2J', available: [] },
    };
    const events = [started('root', null), gap];
    const first = reduceLive(NOTHING_SHOWN, { kind: 'view', view: viewOf(events) });

    const again = reduceLive(first, { kind: 'view', view: viewOf([...events, gap]) });

    expect(first.said).toEqual([{ tone: 'warn', text: '! root: called the tool fly, which it does not hold' }]);
    expect(again.said).toHaveLength(2);
  });
});
