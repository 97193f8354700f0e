import { afterAll, describe, expect, it } from 'vitest';
import { oneOfEachFirst } from '../../src/app/doctor/crash/choose-points.js';
import { createCrashRoom } from '../support/crash-case.js';
import type { CrashedRun } from '../support/crash-check.js';
import { CRASH_STORES, type CrashStoreName } from '../support/crash-database.js';
import type { CrashPlan } from '../support/crash-plan.js';
import { crashEach, recordReference } from '../support/crash-run.js';
import { isFull, seed, shuffled } from '../support/crash-share.js';

/**
 * As a share: the places around the compaction first, then as many points as fit, in the seed's
 * order, one of each name first.
 */
const SHARE_MS: Readonly<Record<CrashStoreName, number>> = { SQLite: 3_500, PostgreSQL: 2_500 };
const LEAST: Readonly<Record<CrashStoreName, number>> = { SQLite: 9, PostgreSQL: 5 };

const READER = 'root/d0/t0/c0:reader/d0/';

/**
 * The steps by which the conversation becomes shorter, in their order. `crowded`: the reader can
 * only ask for a result that was cleared before; `overflowing`: the turn that was refused goes on
 * as `again`.
 */
const SCENARIOS = [
  ['crowded', ['t5/c0:context_retrieve', 't9/summary']],
  ['overflowing', ['t7/again/summary', 't7/again']],
] as const;
const CASES = CRASH_STORES.flatMap((store) => SCENARIOS.map((scenario) => [store, ...scenario] as const));

/** Of all that the run did, what it did for its conversation. */
const shortening = ({ final }: CrashedRun): readonly string[] =>
  final.steps
    .map(({ key }) => String(key))
    .filter((key) => /(context_retrieve|summary|again)$/.test(key))
    .map((key) => key.replace(READER, ''));

/** Before and after the result of a step is durable, and that of the turn it belongs to. */
const around = (step: string): readonly Partial<CrashPlan>[] =>
  [...new Set([step, step.split('/')[0]])].flatMap((of) => {
    const ends = { op: 'step.ended', key: `${READER}${of}` } as const;
    return [{ dieAfter: ends }, { dieBefore: ends }];
  });

/** Whoever asks for a summary is not an agent, and says nothing before. */
const IN_SUMMARY: Partial<CrashPlan> = { killIn: ':0' };

describe.each(CASES)('on %s, a run whose conversation is made shorter (%s)', (store, scenario, steps) => {
  const room = createCrashRoom(store);
  afterAll(() => room.dispose());

  it('comes to the same end by the same requests from each fault point', async () => {
    const always = { scenario, recover: scenario === 'crowded' ? 'manual' : 'auto' } as const;
    const { reference, points } = await recordReference(room, always);
    expect(shortening(reference)).toEqual(steps);

    const first = [IN_SUMMARY, ...shuffled(steps.flatMap(around))];
    const cases = [...first, ...oneOfEachFirst(shuffled(points)).map((dieAt) => ({ dieAt }))];
    const tally = await crashEach(room, {
      cases: cases.map((death) => [death]),
      reference,
      always,
      ...(isFull() ? {} : { budgetMs: SHARE_MS[store], least: LEAST[store] }),
    });

    console.log(
      `crash test of a ${scenario} conversation on ${store}: ${tally.total}/${cases.length} places, ${tally.repeated} repeated, seed ${seed()}`,
    );
    expect(tally.violations).toEqual([]);
    expect(tally.total).toBeGreaterThanOrEqual(isFull() ? cases.length : LEAST[store]);
    expect(tally.repeated).toBeLessThanOrEqual(tally.insideEffect);
  }, 1_800_000);
});
