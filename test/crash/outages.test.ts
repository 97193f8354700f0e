import { afterAll, describe, expect, it } from 'vitest';
import { oneOfEachFirst } from '../../src/app/doctor/crash/choose-points.js';
import { createCrashRoom } from '../support/crash-case.js';
import { CRASH_STORES, type CrashStoreName } from '../support/crash-database.js';
import { DOWN_ONCE } from '../support/crash-outages.js';
import type { CrashPlan } from '../support/crash-plan.js';
import { crashEach, recordReference } from '../support/crash-run.js';
import { isFull, seed, shuffled } from '../support/crash-share.js';

/** As a share: as many points as fit, in the seed's order, one of each name first. */
const SHARE_MS: Readonly<Record<CrashStoreName, number>> = { SQLite: 3_500, PostgreSQL: 2_500 };
const LEAST: Readonly<Record<CrashStoreName, number>> = { SQLite: 4, PostgreSQL: 2 };

const SCENARIOS: readonly (readonly [string, Partial<CrashPlan>])[] = [
  ['that waits for its model where it was started', { scenario: 'outage', recover: 'manual' }],
  ['that waits for its model without a worker', { scenario: 'outage', recover: 'auto' }],
  ['that failed, and is retried', { scenario: 'retried', recover: 'manual' }],
];

describe.each(CRASH_STORES)('on %s, a run', (store) => {
  const room = createCrashRoom(store);
  afterAll(() => room.dispose());

  it.each(SCENARIOS)(
    '%s comes to the same end from each fault point, and no finished call is made again',
    async (_, always) => {
      const { reference, points } = await recordReference(room, always);
      const types = reference.final.events.map(({ type }) => type);
      const waits = types.filter((type) => type === 'step.waiting').length;
      expect(waits).toBe(always.scenario === 'outage' ? DOWN_ONCE.length : 0);
      expect(reference.final.jobs.map(({ status }) => status)).toEqual(
        always.scenario === 'outage' ? ['completed'] : ['failed', 'completed'],
      );

      const tally = await crashEach(room, {
        cases: oneOfEachFirst(shuffled(points)).map((dieAt) => [{ dieAt }]),
        reference,
        always,
        ...(isFull() ? {} : { budgetMs: SHARE_MS[store], least: LEAST[store] }),
      });

      console.log(
        `${always.scenario} ${always.recover} on ${store}: ${tally.total}/${points.length} points, ${tally.repeated} repeated, seed ${seed()}`,
      );
      expect(tally.violations).toEqual([]);
      expect(tally.total).toBeGreaterThanOrEqual(isFull() ? points.length : LEAST[store]);
      expect(tally.repeated).toBeLessThanOrEqual(tally.insideEffect);
    },
    1_800_000,
  );
});
