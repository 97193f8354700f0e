import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../support/crash-share.js';
import { bundleModel, reportText, runModel } from './bundle.js';
import type { CheckName, Order } from './check.js';
import { MUTANTS } from './mutants.js';

/** A share of each check; `npm run model -- --full` runs them whole. */
const SHARES: readonly Omit<Order, 'seed'>[] = [
  { check: 'one round', stride: 120, count: 0 },
  { check: 'two rounds', stride: 80, count: 0 },
  { check: 'twenty rounds', stride: 1, count: 0 },
  { check: 'satisfiable', stride: 80, count: 0 },
  { check: 'satisfiable at random', stride: 1, count: 1_000 },
  { check: 'symmetry', stride: 1, count: 40 },
  { check: 'random', stride: 1, count: 12_000 },
];
/**
 * What must have happened in a share of random cases: what no case reached would have been tested
 * by nothing.
 */
const REACHED = [
  'reopened',
  'round with kept decisions',
  'gate approved',
  'gate rejected',
  'gate changes-requested',
  'gate withdrawn',
  'author-unidentified',
];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kit-model-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the approval engine against an oracle that shares no code with it', () => {
  let path = '';
  beforeAll(async () => {
    path = join(folder, 'model.mjs');
    await bundleModel(path, null);
  });

  it.each(SHARES)(
    'says the same in every step of a share of the check "$check"',
    async (share) => {
      const report = await runModel(path, { ...share, seed: seed() });

      console.log(`model check: seed ${seed()}, ${reportText(report)}`);
      expect(report.difference).toBeNull();
      expect(report.states).toBeGreaterThan(0);
      if (share.check === 'random')
        expect(REACHED.filter((kind) => (report.outcomes[kind] ?? 0) < share.count / 1_000)).toEqual([]);
    },
    120_000,
  );
});

describe('the model check tells a broken engine from a sound one', () => {
  const ASKED: Readonly<Partial<Record<CheckName, Omit<Order, 'seed' | 'check'>>>> = {
    random: { stride: 1, count: 10_000 },
    satisfiable: { stride: 80, count: 0 },
    'twenty rounds': { stride: 1, count: 0 },
  };

  it.each(MUTANTS)(
    'when $name',
    async (mutant) => {
      const path = join(folder, `${MUTANTS.indexOf(mutant)}.mjs`);
      await bundleModel(path, mutant);

      const { attempts, difference } = await runModel(path, {
        ...(ASKED[mutant.foundBy] ?? { stride: 80, count: 0 }),
        check: mutant.foundBy,
        seed: seed(),
      });

      const problem = /"problem": "(.*)"/.exec(difference ?? '')?.[1];
      console.log(`mutant "${mutant.name}": ${problem ?? 'not caught'} (${mutant.foundBy}, ${attempts} attempts)`);
      expect(problem).toBeDefined();
    },
    120_000,
  );

  it('fails when the line of a mutant is no longer there', async () => {
    const gone = {
      name: 'of a line that nobody wrote',
      file: 'fold.ts',
      from: 'a line that nobody wrote',
      to: '',
      foundBy: 'random',
    } as const;

    await expect(bundleModel(join(folder, 'gone.mjs'), gone)).rejects.toThrow('stands 0 times in fold.ts, not once');
  });
});
