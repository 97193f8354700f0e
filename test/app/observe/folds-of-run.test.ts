import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../src/domain/events.js';
import { reduceRun } from '../../../src/view/reduce-run.js';
import { EMPTY_TRACE } from '../../../src/view/run-view.js';
import { GAPS, holdsFor, LIVE, TRACE } from '../../support/folds.js';
import { busyRun } from '../../support/observed-run.js';
import type { World } from '../../support/run-world.js';

describe('a folded view equals itself however its stream is cut, repeated and stored in between', () => {
  let world: World;
  let live: readonly StoredEvent[];
  beforeAll(async () => {
    world = await busyRun();
    live = await world.events();
  });
  afterAll(() => world.close());

  it('over a run that just ended, with gaps and failures', () => {
    expect(live.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['skill.gap', 'skill.executed', 'agent.completed', 'run.ended']),
    );
    holdsFor(LIVE, live);
    holdsFor(TRACE, live);
    holdsFor(GAPS, live);
  });

  it('differs when an event is left out: the check can fail', () => {
    const whole = live.reduce(reduceRun, EMPTY_TRACE);
    for (const [index, event] of live.entries()) {
      if (event.type === 'output.validated' || event.type === 'input.validated') continue;
      const others = live.filter((_one, place) => place !== index);
      expect({
        seq: event.seq,
        same: JSON.stringify(others.reduce(reduceRun, EMPTY_TRACE)) === JSON.stringify(whole),
      }).toEqual({
        seq: event.seq,
        same: false,
      });
    }
  });
});
