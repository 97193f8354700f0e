import { describe, expect, it } from 'vitest';
import { SweepTurn } from '../../src/worker/sweep-turn.js';

const LEASE_MS = 60_000;

describe('the turn to sweep', () => {
  it('comes at once when a process begins, and then three times a lease', () => {
    const turn = new SweepTurn();
    turn.answered(0, LEASE_MS);
    expect([0, 1, 19_999, 20_000, 20_001, 40_000].map((at) => turn.take(at, LEASE_MS))).toEqual([
      true,
      false,
      false,
      true,
      false,
      true,
    ]);
  });

  it('waits half a lease after a silence in which leases may have run out, so that those who live can say so', () => {
    const turn = new SweepTurn();
    turn.answered(0, LEASE_MS);
    turn.take(0, LEASE_MS);
    turn.answered(90_000, LEASE_MS);
    turn.answered(91_000, LEASE_MS);
    expect([91_000, 119_999, 120_000].map((at) => turn.take(at, LEASE_MS))).toEqual([false, false, true]);
  });

  it('is not put off by a silence that no lease can run out in, however often it comes', () => {
    const turn = new SweepTurn();
    for (let at = 0; at <= 120_000; at += 30_000) {
      turn.answered(at, LEASE_MS);
      expect(turn.take(at, LEASE_MS), `${at}`).toBe(true);
    }
  });
});
