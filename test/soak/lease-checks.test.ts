import { describe, expect, it } from 'vitest';
import type { EffectLine } from './evidence.js';
import { type Claim, checkLines } from './lease-checks.js';

const claim = (attempt: number, pid: number, claimedAtMs: number): Claim => ({
  job: 'one',
  attempt,
  workerId: `w${pid}`,
  pid,
  claimedAtMs,
  leaseUntilMs: claimedAtMs + 5_000,
  howEnded: 'given up',
});
const line = (session: number, worker: number, atMs: number): EffectLine => ({
  job: 'one',
  step: 's1',
  session,
  worker,
  atMs,
});
/** A worker claims a run, loses its database, claims the run again, and is killed then. */
const CLAIMS = new Map([['one', [claim(1, 101, 0), claim(2, 101, 10_000), claim(3, 102, 20_000)]]]);

describe('a session whose worker was killed before it could be read', () => {
  it('is of the second claim of a worker whose first claim had another session', () => {
    expect(checkLines([line(7, 101, 3_000), line(8, 1, 12_000), line(9, 102, 22_000)], CLAIMS)).toEqual([]);
  });

  it('is of no claim when each of them had another session of the step', () => {
    const lines = [line(7, 101, 3_000), line(6, 101, 11_000), line(8, 1, 12_000)];

    expect(checkLines(lines, CLAIMS)).toEqual([
      'run one, step s1, session 8: a line by process 1, which had not claimed the run',
    ]);
  });

  it('still has to end with the lease of its claim', () => {
    expect(checkLines([line(7, 101, 3_000), line(8, 1, 15_500)], CLAIMS)).toEqual([
      'run one, step s1, session 8: a line 500 ms after the lease of attempt 2',
    ]);
  });
});
