import { describe, expect, it } from 'vitest';
import { GAPS, holdsFor, LIVE, TRACE } from '../support/folds.js';
import { recordedStreams } from '../support/recorded-streams.js';
import { RUN_SKETCH, storedEvents } from '../support/stored-events.js';

describe('a folded view equals itself however its stream is cut, repeated and stored in between', () => {
  const streams = recordedStreams();

  it.each(streams)('over the recorded journal $name', ({ events }) => {
    expect(events.length).toBeGreaterThan(5);
    holdsFor(LIVE, events);
    holdsFor(TRACE, events);
    holdsFor(GAPS, events);
  });

  it('over a harness beside a model', () => holdsFor(TRACE, storedEvents(RUN_SKETCH)));
});
