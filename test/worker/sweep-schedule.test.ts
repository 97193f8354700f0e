import { describe, expect, it } from 'vitest';
import { SweepSchedule } from '../../src/worker/sweep-schedule.js';

const LEASE_MS = 60_000;

describe('the schedule of sweeps', () => {
  it('comes at once when a process begins, and then three times a lease', () => {
    const schedule = new SweepSchedule();
    schedule.answered(0, LEASE_MS);
    expect([0, 1, 19_999, 20_000, 20_001, 40_000].map((at) => schedule.take(at, LEASE_MS))).toEqual([
      true,
      false,
      false,
      true,
      false,
      true,
    ]);
  });

  it('waits half a lease after a silence in which leases may have run out, so that those who live can say so', () => {
    const schedule = new SweepSchedule();
    schedule.answered(0, LEASE_MS);
    schedule.take(0, LEASE_MS);
    schedule.answered(90_000, LEASE_MS);
    schedule.answered(91_000, LEASE_MS);
    expect([91_000, 119_999, 120_000].map((at) => schedule.take(at, LEASE_MS))).toEqual([false, false, true]);
  });

  it('is not put off by a silence that no lease can run out in, however often it comes', () => {
    const schedule = new SweepSchedule();
    for (let at = 0; at <= 120_000; at += 30_000) {
      schedule.answered(at, LEASE_MS);
      expect(schedule.take(at, LEASE_MS), `${at}`).toBe(true);
    }
  });
});
