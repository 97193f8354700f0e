import { expect, it } from 'vitest';
import { count, NO_RUNS, tallyLine } from '../../../plugins/operate/src/worker/tally.js';

it('a worker counts its claims and how each of them ended, and says what there was', () => {
  const kinds = [
    'claimed',
    'ended',
    'claimed',
    'parked',
    'claimed',
    'given-back',
    'claimed',
    'lost',
    'claimed',
    'ended',
  ] as const;
  const tally = kinds.reduce((so, kind) => count(so, { kind }), NO_RUNS);

  expect(tally).toEqual({ claimed: 5, finished: 2, parked: 1, given_back: 1, lost: 1 });
  expect(tallyLine(tally)).toBe('5 claimed, 2 finished, 1 parked, 1 given back, 1 lost');
  expect(tallyLine(NO_RUNS)).toBe('0 claimed');
});
