import { describe, expect, it } from 'vitest';
import { type CoverageFloors, judgeCoverage, measuredRooms } from '../../scripts/lib/coverage-floors.mjs';

const FLOORS: CoverageFloors = {
  view: { lines: 60, branches: 50 },
  app: { leftOut: 'its tests take five minutes' },
  lib: { lines: 80, branches: 70 },
};
const ROOMS = ['view', 'lib', 'app'];
const WELL = { lib: { lines: 82, branches: 72 }, view: { lines: 62, branches: 52 } };

describe('the coverage of rooms', () => {
  it.each([
    ['at its floors', { ...WELL, lib: { lines: 80, branches: 70 } }, [], []],
    ['above its floors', WELL, [], []],
    [
      'below the floor of lines',
      { ...WELL, lib: { lines: 79.99, branches: 72 } },
      ['lib: seen lines 79.99 %, floor 80 %'],
      [],
    ],
    [
      'below both floors, in two rooms',
      { view: { lines: 1, branches: 2 }, lib: { lines: 3, branches: 4 } },
      [
        'lib: seen branches 4.00 %, floor 70 %',
        'lib: seen lines 3.00 %, floor 80 %',
        'view: seen branches 2.00 %, floor 50 %',
        'view: seen lines 1.00 %, floor 60 %',
      ],
      [],
    ],
    ['ten points above a floor', { ...WELL, lib: { lines: 90, branches: 80 } }, [], []],
    [
      'more than ten points above a floor',
      { ...WELL, lib: { lines: 90.1, branches: 80 } },
      [],
      ['lib: seen lines 90.10 %, floor 80 %; raise it to 88'],
    ],
    ['without figures', { ...WELL, lib: null }, ['lib: its tests gave no figures'], []],
    ['not measured', { view: WELL.view }, ['lib: its tests gave no figures'], []],
  ])('%s', (_, seen, faults, notes) => {
    expect(judgeCoverage(FLOORS, ROOMS, seen)).toEqual({ faults, notes });
  });

  it('fails for a new room without a floor, and says what to add', () => {
    const { faults } = judgeCoverage(FLOORS, [...ROOMS, 'flow'], { ...WELL, flow: { lines: 91.7, branches: 1.5 } });

    expect(faults).toEqual([
      'flow: no floor; seen lines 91.70 %, branches 1.50 %; add "flow": { "lines": 89, "branches": 0 }',
    ]);
  });

  it.each(['lib', 'app'])('fails for %s in the table when it is not a room with tests', (room) => {
    const rooms = ROOMS.filter((one) => one !== room);

    expect(judgeCoverage(FLOORS, rooms, WELL).faults).toEqual([
      `${room}: no such room with tests; take it out of the table`,
    ]);
  });

  it('is asked of every room but those that are left out, in order', () => {
    expect(measuredRooms([...ROOMS, 'flow'], FLOORS)).toEqual(['flow', 'lib', 'view']);
  });
});
