import { afterAll, describe, expect, it } from 'vitest';
import { oneOfEachFirst } from '../../src/app/doctor/crash/choose-points.js';
import { sha256Hex } from '../../src/lib/sha256.js';
import { createCrashRoom } from '../support/crash-case.js';
import { CRASH_STORES, type CrashStoreName } from '../support/crash-database.js';
import type { CrashPoint } from '../support/crash-plan.js';
import { crashEach, recordReference } from '../support/crash-run.js';
import { isFull, seed, shuffled } from '../support/crash-share.js';
import type { CrashScenario } from '../support/crash-topology.js';

/** As a share: as many points as fit, in the seed's order, one of each name first. */
const SHARE_MS: Readonly<Record<CrashStoreName, number>> = { SQLite: 3_000, PostgreSQL: 1_500 };
const LEAST: Readonly<Record<CrashStoreName, number>> = { SQLite: 6, PostgreSQL: 3 };

const share = (points: readonly CrashPoint[]): readonly CrashPoint[] => oneOfEachFirst(shuffled(points));

interface Scenario {
  readonly scenario: CrashScenario;
  readonly of: string;
  readonly output: readonly string[];
  readonly decisions: number;
  readonly signed?: readonly string[];
}

/**
 * The draft that both roles decided about, round by round: gated activations of one agent take
 * turns at its gate.
 */
const TWINS = ['task 0', 'task 0, reworked', 'task 1', 'task 1, reworked'];

/** Digests of what was decided about, by round; each as often as it was decided. */
function signedIn(decisions: readonly string[]): readonly (readonly string[])[] {
  const rows = decisions.map((line) => JSON.parse(line) as { readonly item_id: string; readonly sha256: string });
  const rounds = Map.groupBy(rows, ({ item_id: item }) => Number(/-r(\d+)$/.exec(item)?.[1] ?? 0));
  return [...rounds].sort(([a], [b]) => a - b).map(([, of]) => of.map(({ sha256 }) => sha256));
}

const SCENARIOS: readonly Scenario[] = [
  {
    scenario: 'gated',
    of: 'a gate of two roles and two rounds in one of three parallel children',
    output: ['task 1, reworked'],
    decisions: 4,
  },
  {
    scenario: 'twins',
    of: 'a gated agent that is delegated to twice',
    output: ['task 0, reworked', 'task 1, reworked'],
    decisions: 8,
    signed: TWINS,
  },
  {
    scenario: 'planned',
    of: 'a gated agent with two tasks in one batch of a plan',
    output: ['task 0, reworked', 'task 1, reworked', 'three files'],
    decisions: 8,
    signed: TWINS,
  },
  {
    scenario: 'layered',
    of: 'a draft that is corrected, sent back by a judge, and then by people',
    output: ['reworked'],
    decisions: 4,
  },
];

describe.each(CRASH_STORES)('what people decided, on %s,', (store) => {
  const room = createCrashRoom(store);
  afterAll(() => room.dispose());

  it.each(SCENARIOS)(
    'is kept, and counts once, when the run is killed at any fault point: $of',
    async ({ scenario, output, decisions, signed }) => {
      const always = { scenario } as const;
      const { reference, points } = await recordReference(room, always);
      expect(reference.final.text?.decisions).toHaveLength(decisions);
      if (signed !== undefined) {
        const expected = signed.map((draft) => [sha256Hex(draft), sha256Hex(draft)]);
        expect(signedIn(reference.final.text?.decisions ?? [])).toEqual(expected);
      }
      if (scenario === 'layered') {
        const keys = reference.final.steps.map((row) => String(row.key));
        for (const step of ['d0/validate/t0', 'd0/judge/t0', 'd1/judge', 'g0', 'd2/judge', 'g1'])
          expect(keys).toContain(`root/d0/t0/c0:essayist/${step}`);
      }
      for (const part of output) expect(reference.final.jobs[0]?.output).toContain(part);

      const tally = await crashEach(room, {
        cases: share(points).map((dieAt) => [{ dieAt }]),
        reference,
        always,
        // The run of a plan is as long as two of the others.
        ...(isFull() ? {} : { budgetMs: SHARE_MS[store] * (scenario === 'planned' ? 2 : 1), least: LEAST[store] }),
      });

      console.log(
        `gates on ${store}, ${scenario}: ${tally.total}/${points.length} points, ${tally.repeated} repeated, seed ${seed()}`,
      );
      expect(tally.violations).toEqual([]);
      expect(tally.total).toBeGreaterThanOrEqual(isFull() ? points.length : Math.min(points.length, LEAST[store]));
      expect(tally.repeated).toBeLessThanOrEqual(tally.insideEffect);
    },
    900_000,
  );
});
