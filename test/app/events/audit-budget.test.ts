import { expect, it } from 'vitest';
import { readAudit } from '../../../src/app/events/read-log.js';
import type { AuditSearch } from '../../../src/domain/ports/event-log.js';
import type { Stores } from '../../../src/domain/ports/stores.js';

/** What a search over any store is told, by a clock that the test moves. */
async function asked(signal: AbortSignal) {
  const clock = { atMs: 1_000, now: () => clock.atMs };
  let search: AuditSearch | null = null;
  const stores = {
    events: {
      lookBack: async (given: AuditSearch) => {
        search = given;
        return { events: [], before: 'further' };
      },
    },
  } as unknown as Pick<Stores, 'events'>; // nothing else of a store is asked
  const page = await readAudit(
    { stores, clock },
    {
      workspace: '',
      run: null,
      agent: 'nobody',
      topology: null,
      types: [],
      since: null,
      before: null,
      limit: 5,
      signal,
    },
  );
  return { page, clock, isOver: () => ((search as AuditSearch | null)?.msLeft() ?? 0) <= 0 };
}

it('looks back for 100 ms, then says how far it came', async () => {
  const { page, clock, isOver } = await asked(new AbortController().signal);

  expect(page).toEqual({ rows: [], before: 'further' });
  clock.atMs += 99;
  expect(isOver()).toBe(false);
  clock.atMs += 1;
  expect(isOver()).toBe(true);
});

it('ends when whoever asked is gone', async () => {
  const gone = new AbortController();
  const { isOver } = await asked(gone.signal);

  expect(isOver()).toBe(false);
  gone.abort();
  expect(isOver()).toBe(true);
});
