import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneOfEachFirst } from '../../src/app/doctor/crash/choose-points.js';
import { createCrashRoom } from '../support/crash-case.js';
import { type CrashedRun, checkRun } from '../support/crash-check.js';
import { CRASH_STORES, type CrashStoreName } from '../support/crash-database.js';
import type { CrashPoint } from '../support/crash-plan.js';
import { crashAndResume, crashEach, recordReference } from '../support/crash-run.js';
import { isFull, seed, shuffled } from '../support/crash-share.js';

/**
 * Names by which the reference run tells its effects, and three instants inside the session of its
 * harness.
 */
const EFFECTS = [
  'root:0',
  'root:1',
  'lister:0',
  'lister:1',
  'counter:0',
  'counter:1',
  'counter:2',
  'list',
  'count-1',
  'count-2',
  'harness',
];
const IN_SESSION = ['session', 'tool', 'message'];

/** As a share: as many points as fit, in the seed's order, one of each name first. */
const SHARE_MS: Readonly<Record<CrashStoreName, number>> = { SQLite: 9_000, PostgreSQL: 3_000 };
const LEAST: Readonly<Record<CrashStoreName, number>> = { SQLite: 16, PostgreSQL: 6 };
/**
 * The longer checks of the second store run at full length only: what they look at above the store
 * is the same code.
 */
const inFull = (store: CrashStoreName) => it.runIf(store === 'SQLite' || isFull());

const share = (points: readonly CrashPoint[]): readonly CrashPoint[] => oneOfEachFirst(shuffled(points));

describe.each(CRASH_STORES)('a run that is killed, on %s', (store) => {
  const room = createCrashRoom(store);
  const budget = isFull() ? {} : { budgetMs: SHARE_MS[store], least: LEAST[store] };
  let reference: CrashedRun;
  let points: readonly CrashPoint[];
  beforeAll(async () => {
    ({ reference, points } = await recordReference(room));
  });
  afterAll(() => room.dispose());

  it('executes each effect once and replays to the same result when nobody kills it', () => {
    expect(reference.last).toMatchObject({ code: 0, stderr: '', report: { kind: 'ended', status: 'completed' } });
    expect(reference.final.effects.map((effect) => effect.name).sort()).toEqual([...EFFECTS].sort());
    const report = reference.last.report;
    expect(report?.kind === 'ended' && report.replayed).toEqual({
      kind: 'completed',
      output: report?.kind === 'ended' ? report.output : '',
    });
  });

  it('goes on from every fault point to the same end', async () => {
    const tally = await crashEach(room, { cases: share(points).map((dieAt) => [{ dieAt }]), reference, ...budget });

    console.log(
      `crash test on ${store}: ${tally.total}/${points.length} points, ${tally.repeated} repeated (${tally.insideEffect} kills inside an effect), seed ${seed()}, ${tally.leftWorktrees} worktrees left`,
    );
    expect(tally.violations).toEqual([]);
    expect(tally.total).toBeGreaterThanOrEqual(isFull() ? points.length : Math.min(points.length, LEAST[store]));
    expect(tally.repeated).toBeLessThanOrEqual(tally.insideEffect);
  }, 600_000);

  inFull(store)(
    'goes on from a kill inside every effect, and repeats that one alone',
    async () => {
      const cases = [...EFFECTS, ...IN_SESSION].map((killIn) => [{ killIn }]);
      const tally = await crashEach(room, { cases, reference });

      console.log(`crash test on ${store}: ${tally.total} kills inside effects, ${tally.repeated} repeated`);
      expect(tally.violations).toEqual([]);
      expect(tally).toMatchObject({ total: cases.length, insideEffect: cases.length, repeated: cases.length });
    },
    600_000,
  );

  inFull(store)(
    'goes on with the session of a harness that had finished, when the kill came before its result was durable',
    async () => {
      const one = await room.open();
      const run = await crashAndResume(one, [{ dieBefore: { op: 'step.ended', key: 'root/d0/t0/c2:writer/d0/x' } }]);

      expect(checkRun(run, reference).violations).toEqual([]);
      const started = run.final.events
        .filter((event) => event.type === 'executor.started')
        .map((event) => JSON.parse(String(event.payload)));
      expect(started).toMatchObject([{ resumed: false }, { resumed: true, lost: null }]);
      expect(run.final.worktrees).toEqual([]);
    },
    60_000,
  );

  inFull(store)(
    'goes on when the process that goes on is killed as well, at every fault point of its own',
    async () => {
      const middle = { dieAt: { name: 'run.step_ended:after', nth: 4 } };
      const own = await pointsOfResume(middle);
      const cases = own
        .filter((point, index) => isFull() || point.name.startsWith('job.') || index % 6 === 0)
        .map((dieAt) => [middle, { dieAt }]);
      const tally = await crashEach(room, { cases, reference });

      console.log(
        `crash test on ${store}: ${tally.total} second kills of ${own.length} points of a resume, ${tally.repeated} repeated (${tally.insideEffect} inside an effect)`,
      );
      expect(own.map((point) => point.name)).toEqual(
        expect.arrayContaining(['job.sweep:before', 'job.sweep:after', 'job.resume:before', 'job.resume:after']),
      );
      expect(tally.violations).toEqual([]);
      expect(tally.repeated).toBeLessThanOrEqual(tally.insideEffect);
    },
    600_000,
  );

  inFull(store)(
    'is taken over by a worker that sweeps and claims, when it was left to workers',
    async () => {
      const always = { recover: 'auto' } as const;
      const auto = await recordReference(room, always);
      const cases = auto.points
        .filter((point, index) => isFull() || point.name.startsWith('job.') || index % 12 === 0)
        .map((dieAt) => [{ dieAt }]);
      const tally = await crashEach(room, { cases, reference: auto.reference, always });

      console.log(
        `crash test on ${store}: ${tally.total}/${auto.points.length} points of a worker, ${tally.repeated} repeated (${tally.insideEffect} kills inside an effect)`,
      );
      expect(auto.points.map((point) => point.name)).toEqual(
        expect.arrayContaining(['job.claim:before', 'job.claim:after']),
      );
      expect(tally.violations).toEqual([]);
      expect(tally.repeated).toBeLessThanOrEqual(tally.insideEffect);
    },
    600_000,
  );

  async function pointsOfResume(death: { readonly dieAt: CrashPoint }): Promise<readonly CrashPoint[]> {
    const one = await room.open();
    await one.start(death).ended;
    await one.bury();
    const resumed = await one.start({ entry: 'resume' }).ended;
    const own = one.hits(resumed.pid);
    await one.dispose();
    return own;
  }
});
