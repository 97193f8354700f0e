import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCrashRoom } from '../support/crash-case.js';
import type { CrashedRun } from '../support/crash-check.js';
import { CRASH_STORES } from '../support/crash-database.js';
import type { CrashPoint } from '../support/crash-plan.js';
import { crashEach, recordReference } from '../support/crash-run.js';
import { isFull } from '../support/crash-share.js';

/** Kills at these points tell apart what was acknowledged and what was durable. */
const POINTS: readonly CrashPoint[] = [
  { name: 'run.step_started:before', nth: 6 },
  { name: 'run.step_ended:before', nth: 5 },
  { name: 'run.step_ended:after', nth: 9 },
  { name: 'run.ended:before', nth: 1 },
];

describe.each(CRASH_STORES.filter((store) => store === 'SQLite' || isFull()))('the crash test on %s', (store) => {
  const room = createCrashRoom(store);
  let reference: CrashedRun;
  beforeAll(async () => {
    ({ reference } = await recordReference(room));
  });
  afterAll(() => room.dispose());

  const crash = (mutant?: 'acknowledges_early' | 'drops_results') =>
    crashEach(room, {
      cases: POINTS.map((dieAt) => [{ dieAt }]),
      reference,
      ...(mutant === undefined ? {} : { always: { mutant } }),
    });

  it('finds nothing at these points when nothing is broken', async () => {
    expect((await crash()).violations).toEqual([]);
  }, 120_000);

  it('fails when commits are acknowledged before they are made', async () => {
    const { violations } = await crash('acknowledges_early');

    console.log(`${store}: mutant acknowledges_early: ${violations.length} violations`);
    expect(violations.filter((text) => text.includes('was acknowledged and is not in the log'))).not.toEqual([]);
    expect(violations.filter((text) => text.includes('began before its step was durable'))).not.toEqual([]);
  }, 120_000);

  it('fails when results of commands are acknowledged and never committed', async () => {
    const { violations } = await crash('drops_results');

    console.log(`${store}: mutant drops_results: ${violations.length} violations`);
    expect(violations.filter((text) => text.includes('was acknowledged and is not in the journal'))).not.toEqual([]);
    expect(violations.filter((text) => /was executed 2 times, and was in flight at 0 kills/.test(text))).not.toEqual(
      [],
    );
  }, 120_000);
});
