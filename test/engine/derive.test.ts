import { describe, expect, it } from 'vitest';
import { eventIdOf } from '../../src/engine/derive.js';

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const PLACE = { jobId: '0a1b2c3d4e5f', key: 'root/d0/t0', attempt: 1, index: 0 };

describe('the id of an event', () => {
  it('begins with the id of its run, so that the events of a run lie side by side in an index', () => {
    expect(eventIdOf(PLACE)).toMatch(/^0a1b2c3d-4e5f-/);
    expect(eventIdOf({ ...PLACE, index: 1 })).toMatch(/^0a1b2c3d-4e5f-/);
  });

  it('has the shape of a version 4 UUID, whatever the id of the run looks like', () => {
    for (const jobId of [PLACE.jobId, 'a run of an older store', ''])
      expect(eventIdOf({ ...PLACE, jobId })).toMatch(VERSION_4);
  });

  it('is the same for the same place and another for any other one', () => {
    const places = [
      PLACE,
      { ...PLACE, jobId: '0a1b2c3d4e50' },
      { ...PLACE, key: 'root' },
      { ...PLACE, attempt: 2 },
      { ...PLACE, index: 1 },
    ];
    expect(eventIdOf({ ...PLACE })).toBe(eventIdOf(PLACE));
    expect(new Set(places.map(eventIdOf)).size).toBe(places.length);
  });
});
