import { afterEach, expect, it, vi } from 'vitest';
import type { Stores } from '../../src/domain/ports/stores.js';
import { type GuardedStore, openGuardedStore, stillClock } from '../support/guards/guarded-store.js';
import { type OpenLoad, openLongTalk } from '../support/guards/loads.js';

const TURNS = 300;
/** Of the leader's turns: from one of these to the next one. */
const MARKS = [150, 200, 250, 299];

const opened: (GuardedStore | OpenLoad)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** Tells when a turn of the leader is over. */
function heard(stores: Stores, over: (turn: number) => void): Stores {
  const { runs } = stores;
  const commit: typeof runs.commit = async (fence, ...batches) => {
    const stored = await runs.commit(fence, ...batches);
    for (const write of batches.flat()) {
      const turn = write.op === 'step.ended' ? /^root\/d0\/t(\d+)$/.exec(write.key)?.[1] : undefined;
      if (turn !== undefined) over(Number(turn));
    }
    return stored;
  };
  return { ...stores, runs: { ...runs, commit }, close: () => stores.close() };
}

/**
 * Characters that become JSON: of the store, the journal, the log, what `kit debug` keeps, and so
 * what agents are told. They do not depend on the machine.
 */
function charsOfJson(): () => number {
  const { stringify } = JSON;
  let chars = 0;
  vi.spyOn(JSON, 'stringify').mockImplementation((...value: Parameters<typeof stringify>) => {
    const text = stringify(...value);
    chars += (text as string | undefined)?.length ?? 0;
    return text;
  });
  return () => chars;
}

it('a turn of a run that talks for long makes as much text as one long before it', { timeout: 120_000 }, async () => {
  const store = await openGuardedStore('sqlite');
  opened.push(store);
  const marks: number[] = [];
  const chars = charsOfJson();
  const stores = heard(store.stores, (turn) => {
    if (MARKS.includes(turn)) marks.push(chars());
  });
  const run = await openLongTalk(TURNS, store.directory, stores, stillClock());
  opened.push(run);
  await run.run();

  const parts = marks.slice(1).map((mark, n) => (mark - (marks[n] ?? 0)) / ((MARKS[n + 1] ?? 0) - (MARKS[n] ?? 0)));
  expect(parts).toHaveLength(3);
  expect(Math.max(...parts), parts.map(Math.round).join(' ')).toBeLessThanOrEqual(1.1 * Math.min(...parts));
});
