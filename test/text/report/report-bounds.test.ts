import { expect, it } from 'vitest';
import { reportHtml } from '../../../src/text/report-html.js';
import { ledHere } from '../../../src/view/led-here.js';
import { foldRun } from '../../../src/view/reduce-run.js';
import { EMPTY_TRACE } from '../../../src/view/run-view.js';
import { askedSample } from '../../support/asked-samples.js';
import {
  type AnySketch,
  agentCompleted,
  agentStarted,
  modelCalled,
  runStarted,
  storedEvents,
} from '../../support/stored-events.js';
import { jobOf } from '../../support/view-samples.js';

/** A root that asks `children` agents, one after the other: four events each. */
function longRun(children: number): string {
  const asked = Array.from({ length: children }, (_, n): readonly AnySketch[] => {
    const key = `root/d0/t${n}/c0:worker`;
    return [
      { type: 'model.called', agentId: 'root', stepKey: `root/d0/t${n}`, payload: modelCalled({ tool_calls: 1 }) },
      { type: 'agent.started', agentId: 'worker', stepKey: key, payload: agentStarted(key, 'root') },
      { type: 'model.called', agentId: 'worker', stepKey: `${key}/d0/t0`, payload: modelCalled() },
      { type: 'agent.completed', agentId: 'worker', stepKey: key, payload: agentCompleted(key) },
    ];
  });
  const events = storedEvents([
    { type: 'run.started', payload: runStarted },
    { type: 'agent.started', agentId: 'root', stepKey: 'root', payload: agentStarted('root', null) },
    ...asked.flat(),
  ]);
  const view = foldRun(EMPTY_TRACE, events);
  return reportHtml({
    job: jobOf(),
    view,
    asked: askedSample({ led: ledHere(view) }),
    wallMs: 1,
    events: events.slice(0, 5_000),
    eventsLeftOut: 0,
    diffs: null,
  });
}

const countOf = (page: string, what: string): number => page.split(what).length - 1;

it('the page of a run of any length has at most 5 MB, and says what it leaves out and where that is', () => {
  const ten = longRun(2_500);
  const twenty = longRun(5_000);

  for (const page of [ten, twenty]) {
    expect(Buffer.byteLength(page)).toBeLessThan(5_000_000);
    expect(page).toMatch(/\d+ agents after these are left out; kit trace 0123456789ab shows them all\./);
    expect(page).toMatch(/and \d+ more, which kit trace [0-9a-f]{12} shows/);
  }
  // What is drawn does not grow any more.
  expect(countOf(twenty, '<svg viewBox')).toBeLessThanOrEqual(countOf(ten, '<svg viewBox'));
  expect(Math.abs(twenty.length - ten.length)).toBeLessThan(400_000);
});

it('a page of a short run leaves nothing out', () => {
  const page = longRun(100);
  expect(page).not.toContain('left out');
  expect(countOf(page, '<svg viewBox')).toBe(101);
});
