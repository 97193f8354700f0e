import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneOfEachFirst } from '../../src/app/doctor/crash/choose-points.js';
import { createCrashRoom } from '../support/crash-case.js';
import type { CrashedRun } from '../support/crash-check.js';
import type { CrashPoint } from '../support/crash-plan.js';
import { crashAndTakeOver, crashEach, recordReference } from '../support/crash-run.js';
import { isFull, seed, shuffled } from '../support/crash-share.js';

/** As a share: as many points as fit, in the seed's order, one of each name first. */
const SHARE_MS = 5_000;
const LEAST = 3;

describe('two workers on one PostgreSQL', () => {
  const room = createCrashRoom('PostgreSQL');
  let reference: CrashedRun;
  let points: readonly CrashPoint[];
  beforeAll(async () => {
    const recorded = await recordReference(room, { recover: 'auto' });
    reference = recorded.reference;
    // Before it nothing was accepted: there is no run that a second worker could take over.
    points = recorded.points.slice(recorded.points.findIndex(({ name }) => name === 'job.insert:after'));
  }, 60_000);
  afterAll(() => room.dispose());

  it('lose nothing when one dies at any fault point: the other, which was up all the time, takes the run over', async () => {
    const tally = await crashEach(room, {
      cases: oneOfEachFirst(shuffled(points)).map((dieAt) => [{ dieAt }]),
      reference,
      always: { recover: 'auto' },
      carry: (one, [death = {}], always) => crashAndTakeOver(one, death, always),
      ...(isFull() ? {} : { budgetMs: SHARE_MS, least: LEAST }),
    });

    console.log(
      `two workers on PostgreSQL: ${tally.total}/${points.length} points taken over, ${tally.repeated} repeated (${tally.insideEffect} kills inside an effect), seed ${seed()}`,
    );
    expect(tally.violations).toEqual([]);
    expect(tally.total).toBeGreaterThanOrEqual(isFull() ? points.length : Math.min(points.length, LEAST));
    expect(tally.repeated).toBeLessThanOrEqual(tally.insideEffect);
  }, 1_800_000);
});
