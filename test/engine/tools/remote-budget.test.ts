import { describe, expect, it } from 'vitest';
import type { StepRow } from '../../../src/domain/journal.js';
import type { Limits } from '../../../src/domain/limits.js';
import { allowanceOf } from '../../../src/engine/skills/remote-budget.js';
import type { RemoteNote } from '../../../src/engine/skills/remote-note.js';

const NOTE: RemoteNote = {
  agent: { cardUrl: 'https://a.example/card', skillId: null, credentialsRef: null },
  ...{ task: null, isSending: false, deduplicates: true, looks: 0, workedMs: 0, at: 0 },
};
const LIMITS: Limits = { maxStepsPerAgent: null, maxStepsPerRun: 10, maxCostPerRunUsd: 1 };

interface Other {
  readonly usd: number;
  readonly honorsBudget?: boolean;
  readonly isOver?: boolean;
}

const rowOf = ({ usd, honorsBudget = true, isOver = false }: Other, index: number) =>
  ({
    key: `other-${index}`,
    outcome: isOver ? { status: 'ok', value: {} } : null,
    notes: { remote: { ...NOTE, honorsBudget, budget: { usd, turns: 5, wallClockMs: 1 } } },
  }) as unknown as StepRow;

/** What one call may hand on, beside other calls of its run. */
function allowed(
  others: readonly Other[],
  of: { readonly limits?: Partial<Limits>; readonly costUsd?: number | null; readonly note?: Partial<RemoteNote> } = {},
) {
  const { costUsd = 0.2 } = of;
  const session = { all: () => others.map(rowOf).values(), spent: { steps: 4, costUsd, tokens: 0 } };
  const services = { snapshot: { limits: { ...LIMITS, ...of.limits } }, steps: { deps: { session } } };
  const call = { agent: { timeoutMs: 60_000 }, context: { key: 'mine' } };
  return allowanceOf(services as never, call as never, { ...NOTE, ...of.note });
}

const budget = (usd: number | null, turns: number | null = 6) => ({
  kind: 'budget',
  budget: { usd: usd === null ? null : expect.closeTo(usd), turns, wallClockMs: 60_000 },
});

describe('what a call hands on', () => {
  it('is what the run may still use, and the time of the call', () => {
    expect(allowed([])).toEqual(budget(0.8));
    expect(allowed([], { limits: { maxCostPerRunUsd: null } })).toEqual(budget(null));
    expect(allowed([], { limits: { maxStepsPerRun: Number.POSITIVE_INFINITY } })).toEqual(budget(0.8, null));
  });

  it('is without what other calls hold, until they are over', () => {
    expect(allowed([{ usd: 0.5 }])).toEqual(budget(0.3));
    expect(allowed([{ usd: 0.5, isOver: true }])).toEqual(budget(0.8));
    expect(allowed([{ usd: 0.5, honorsBudget: false }])).toEqual(budget(0.8));
  });

  it('waits while others hold all of it', () => {
    expect(allowed([{ usd: 0.5 }, { usd: 0.3 }])).toMatchObject({ kind: 'held' });
  });

  it('is what it was when the message was made', () => {
    const before = { usd: 0.7, turns: 2, wallClockMs: 5 };
    expect(allowed([{ usd: 0.8 }], { note: { budget: before }, limits: { maxRemoteCalls: 0 } })).toEqual({
      kind: 'budget',
      budget: before,
    });
  });

  it.each([
    ['max_cost_per_run_usd', { costUsd: 1 }],
    ['max_cost_per_run_usd', { costUsd: null }],
    ['max_steps_per_run', { limits: { maxStepsPerRun: 4 } }],
    ['max_remote_calls', { limits: { maxRemoteCalls: 2 } }],
  ])('is nothing where %s leaves nothing', (limit, of) => {
    const two = [{ usd: 0.1 }, { usd: 0.1, isOver: true }];
    expect(allowed(two, of)).toMatchObject({ kind: 'over', why: expect.stringContaining(limit) });
  });

  it('is at most fifty calls where nothing is written', () => {
    const over = Array.from({ length: 50 }, () => ({ usd: 0, isOver: true }));
    expect(allowed(over.slice(1))).toEqual(budget(0.8));
    expect(allowed(over)).toMatchObject({ kind: 'over' });
  });
});
