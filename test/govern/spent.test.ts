import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Usage } from '../../src/domain/job.js';
import { type CountedRow, type Spent, SpentSoFar } from '../../src/govern/spent.js';

const AGENTS = ['a', 'b', 'c'] as const;

const usageOf = (costUsd: number | null): Usage => ({
  inputTokens: 1,
  outputTokens: 1,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  costUsd,
});
const ofEighths = fc.nat(80).map((eighths) => eighths / 8);
const cost = (known: fc.Arbitrary<number>) =>
  fc.oneof({ arbitrary: known, weight: 12 }, { arbitrary: fc.constantFrom(null, Number.NaN, -1), weight: 1 });
const rowWith = (known: fc.Arbitrary<number>): fc.Arbitrary<CountedRow> =>
  fc.record({
    agentId: fc.constantFrom(...AGENTS, null),
    units: fc.nat(2),
    usage: fc.option(cost(known).map(usageOf)),
  });
/** Rows by the number of their key: one that comes again takes the place of the one before. */
const writesWith = (known: fc.Arbitrary<number>) => fc.array(fc.tuple(fc.nat(6), rowWith(known)), { maxLength: 40 });

const reported = (spent: Spent) => ({
  steps: spent.steps,
  byAgent: AGENTS.map((agentId) => spent.stepsOf(agentId)),
  costUsd: spent.costUsd,
});

/** Eighths are added up without rounding, so a plain sum is exact. */
function folded(rows: readonly CountedRow[]) {
  const units = (ofIt: readonly CountedRow[]): number => ofIt.reduce((sum, row) => sum + row.units, 0);
  const costs = rows.flatMap(({ usage }) => (usage === null ? [] : [usage.costUsd]));
  const isKnown = costs.every((one) => one !== null && one >= 0);
  return {
    steps: units(rows),
    byAgent: AGENTS.map((agentId) => units(rows.filter((row) => row.agentId === agentId))),
    costUsd: isKnown ? costs.reduce<number>((sum, one) => sum + (one ?? 0), 0) : null,
  };
}

function write(writes: readonly (readonly [number, CountedRow])[]) {
  const rows = new Map<number, CountedRow>();
  const spent = new SpentSoFar([]);
  for (const [key, row] of writes) {
    spent.replace(rows.get(key), row);
    rows.set(key, row);
  }
  return { spent, rows: [...rows.values()] };
}

describe('what a run has spent', () => {
  it('is the fold over its rows after each of any writes', () => {
    fc.assert(
      fc.property(writesWith(ofEighths), (writes) => {
        for (let count = 0; count <= writes.length; count += 1) {
          const { spent, rows } = write(writes.slice(0, count));
          expect(reported(spent)).toEqual(folded(rows));
        }
      }),
    );
  });

  it('is to the last digit what a claim counts anew, in whichever order it finds the rows', () => {
    fc.assert(
      fc.property(writesWith(fc.double({ min: 0, max: 1000, noNaN: true })), (writes) => {
        const { spent, rows } = write(writes);
        expect(reported(spent)).toEqual(reported(new SpentSoFar(rows)));
        expect(reported(spent)).toEqual(reported(new SpentSoFar([...rows].reverse())));
      }),
    );
  });

  it('is looked at with a usage that is not recorded yet, and stays as it is', () => {
    fc.assert(
      fc.property(writesWith(ofEighths), cost(ofEighths), (writes, costUsd) => {
        const { spent, rows } = write(writes);
        const later = { agentId: null, units: 0, usage: usageOf(costUsd) };
        expect(reported(spent.after(later.usage))).toEqual(folded([...rows, later]));
        expect(reported(spent)).toEqual(folded(rows));
      }),
    );
  });

  it('is unknown where the sum is not a number any more', () => {
    const row = { agentId: 'a', units: 1, usage: usageOf(Number.MAX_VALUE) };
    expect(new SpentSoFar([row, row]).costUsd).toBeNull();
  });
});
