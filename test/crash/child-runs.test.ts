import { afterAll, describe, expect, it } from 'vitest';
import { oneOfEachFirst } from '../../src/app/doctor/crash/choose-points.js';
import { createCrashRoom, JOB_ID } from '../support/crash-case.js';
import { CRASH_STORES, type CrashStoreName } from '../support/crash-database.js';
import { crashEach, recordReference } from '../support/crash-run.js';
import { isFull, seed, shuffled } from '../support/crash-share.js';

/** As a share: as many points as fit, in the seed's order, one of each name first. */
const SHARE_MS: Readonly<Record<CrashStoreName, number>> = { SQLite: 4_500, PostgreSQL: 3_000 };
const LEAST: Readonly<Record<CrashStoreName, number>> = { SQLite: 6, PostgreSQL: 3 };

describe.each(CRASH_STORES)('a run that asks for a run, which asks for another, on %s,', (store) => {
  const room = createCrashRoom(store);
  afterAll(() => room.dispose());

  it('asks once for each, whatever fault point it is killed at, and goes on with them to the same end', async () => {
    const always = { scenario: 'calling' } as const;
    const { reference, points } = await recordReference(room, always);
    const { jobs, effects } = reference.final;
    expect(jobs.map(({ topology, status, source }) => `${topology} ${status} ${source}`).toSorted()).toEqual([
      'crash completed cli',
      'second completed agent',
      'third completed agent',
    ]);
    expect(jobs.find(({ id }) => id === JOB_ID)?.output).toContain('helper saw');
    expect(effects.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['count-3', 'digger:1', 'helper:1', 'asker:1', 'root:1']),
    );

    const tally = await crashEach(room, {
      cases: oneOfEachFirst(shuffled(points)).map((dieAt) => [{ dieAt }]),
      reference,
      always,
      ...(isFull() ? {} : { budgetMs: SHARE_MS[store], least: LEAST[store] }),
    });

    console.log(
      `runs below a run on ${store}: ${tally.total}/${points.length} points, ${tally.repeated} repeated, seed ${seed()}`,
    );
    expect(tally.violations).toEqual([]);
    expect(tally.total).toBeGreaterThanOrEqual(isFull() ? points.length : Math.min(points.length, LEAST[store]));
    expect(tally.repeated).toBeLessThanOrEqual(tally.insideEffect);
  }, 1_800_000);
});
