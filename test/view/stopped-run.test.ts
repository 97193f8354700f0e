import { expect, it } from 'vitest';
import { foldRun } from '../../src/view/reduce-run.js';
import { EMPTY_RUN } from '../../src/view/run-view.js';
import { type AnySketch, runStarted, storedEvents } from '../support/stored-events.js';

it.each<readonly [string, AnySketch]>([
  ['this', { type: 'run.parked', payload: { waiting_on: [], status: 'stopped', reason: 'stop_requested', error: '' } }],
  ['an older', { type: 'run.ended', payload: { status: 'stopped', reason: 'stop_requested', error: null } }],
])('begins again when a run is resumed that %s version has stopped', (_, stop) => {
  const sketches: readonly AnySketch[] = [
    { type: 'run.started', payload: runStarted },
    { type: 'run.stopped', payload: { requested_by: 'ann', at: '2030-01-01T00:00:00.000Z' } },
    stop,
  ];
  const resumed: AnySketch = { type: 'run.resumed', payload: { requested_by: 'bob', from_status: 'stopped' } };

  expect(foldRun(EMPTY_RUN, storedEvents(sketches))).toMatchObject({
    status: 'stopped',
    reason: 'stop_requested',
    error: null,
    waitingOn: [],
    endedAt: expect.any(String),
  });
  expect(foldRun(EMPTY_RUN, storedEvents([...sketches, resumed]))).toMatchObject({
    status: 'pending',
    reason: null,
    stopRequestedBy: null,
    endedAt: null,
    resumes: 1,
  });
});
