import { describe, expect, it } from 'vitest';
import type { EventType, RunEvent, StoredEvent } from '../../src/domain/events.js';
import type { EventQuery } from '../../src/domain/ports/event-log.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { isFull, randomFrom, seed } from '../support/crash-share.js';
import { SHARED_STORES } from '../support/shared-store.js';
import {
  claimOf,
  createIds,
  eventOf,
  fenceOf,
  messageEvent,
  newJob,
  noteWrite,
  startedEvent,
  startWrite,
  stepOf,
} from '../support/store-samples.js';

const ROUNDS = isFull() ? 40 : 3;
/** Processes of one store: here, several connections that know nothing of each other. */
const PROCESSES = 3;
const WRITES_EACH = 40;

type Draw = (below: number) => number;
type Filter = Omit<EventQuery, 'after' | 'limit'>;

/** Everything that puts events into the log, a few of a rare type among them. */
async function write(
  stores: Stores,
  { process, draw }: { readonly process: number; readonly draw: Draw },
): Promise<void> {
  const ids = createIds(0x10 + process);
  const job = await stores.jobs.insert(
    newJob(ids.jobId()),
    'pending',
    [startedEvent(ids.uuid())],
    claimOf({ workerId: `w${process}` }),
  );
  await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'root'))]);
  const some = (): RunEvent[] =>
    Array.from({ length: 1 + draw(4) }, (_, n) => messageEvent(ids.uuid(), `m${n}`, 'root'));
  const works: readonly (() => Promise<unknown>)[] = [
    () => stores.runs.commit(fenceOf(job), [noteWrite('root', {}, some())]),
    () => stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid()), ...some()]),
    () => stores.events.append(eventOf(ids.uuid(), 'input.rejected', { errors: [] }), {}),
    () =>
      Promise.all([
        stores.runs.commit(fenceOf(job), [noteWrite('root', {}, some())]),
        stores.jobs.insert(newJob(ids.jobId()), 'pending', some()),
      ]),
  ];
  for (let n = 0; n < WRITES_EACH; n++) await works[draw(works.length)]?.();
}

interface Reader {
  readonly filter: Filter;
  readonly draw: Draw;
  readonly isOver: () => boolean;
  /**
   * The store at which a process of this number is now; it may have been opened anew since the last
   * page.
   */
  readonly at: (process: number) => Stores;
}

/**
 * Pages of every size, each from any process, each from the cursor of the one before: as a consumer
 * that dies after each page.
 */
async function follow({ filter, draw, isOver, at }: Reader): Promise<readonly StoredEvent[]> {
  const read: StoredEvent[] = [];
  for (let after = ''; ; ) {
    const wasOver = isOver();
    const limit = 1 + draw(draw(4) === 0 ? 100 : 7);
    const page = await at(draw(PROCESSES)).events.read({ ...filter, after, limit });
    expect(page.events.length).toBeLessThanOrEqual(limit);
    expect(page.nextCursor).toBe(page.events.at(-1)?.cursor ?? after);
    // A cursor in the middle of a page is as good as the one at its end.
    const kept =
      page.events.length > 1 && draw(3) === 0 ? page.events.slice(0, 1 + draw(page.events.length)) : page.events;
    read.push(...kept.map(({ cursor: _, ...event }) => event));
    after = kept.at(-1)?.cursor ?? after;
    if (wasOver && page.events.length === 0) return read;
    if (page.events.length === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

const FILTERS = (firstJob: string): readonly Filter[] => [
  {},
  {},
  { types: ['run.started'] },
  { types: ['input.rejected', 'executor.message', 'run.started'] satisfies EventType[] },
  { types: ['rework'] },
  { jobId: firstJob },
  { jobId: firstJob, types: ['executor.message'] },
  { jobId: '' },
];

const fits = ({ types, jobId }: Filter, event: StoredEvent): boolean =>
  (jobId === undefined || event.jobId === jobId) && (types === undefined || types.includes(event.type));

describe.each(SHARED_STORES)('the event log of %s', (name, open) => {
  it(`is the concatenation of any pages, while ${PROCESSES} processes write to ${name}: ${ROUNDS} rounds, seed ${seed()}`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const random = randomFrom(seed() * 1000 + round);
      const draw: Draw = (below) => Math.floor(random() * below);
      const shared = await open();
      const writers = await Promise.all(Array.from({ length: PROCESSES }, (_, process) => shared.join(process)));
      const readers = await Promise.all(Array.from({ length: PROCESSES }, (_, process) => shared.join(0x20 + process)));
      let isOver = false;
      const firstJob = createIds(0x10).jobId();
      const at = (process: number): Stores => readers[process] ?? expect.fail('no such process');
      const followed = FILTERS(firstJob).map((filter) => follow({ filter, draw, isOver: () => isOver, at }));
      const written = Promise.all(writers.map((stores, process) => write(stores, { process, draw })));
      // One of the reading processes makes room for the next in the middle of it all: cursors
      // outlive whoever was given them.
      readers[0] = await shared.join(0x30);
      await written;
      isOver = true;
      const pages = await Promise.all(followed);

      const log: StoredEvent[] = [];
      for (let after = '', more = true; more; ) {
        const page = await at(0).events.read({ after, limit: 1000 });
        log.push(...page.events.map(({ cursor: _, ...event }) => event));
        [after, more] = [page.nextCursor, page.hasMore];
      }
      expect(log.length).toBeGreaterThan(PROCESSES * WRITES_EACH);
      expect(log.map((event) => event.pos)).toEqual([...new Set(log.map((event) => event.pos))].sort((a, b) => a - b));
      for (const [index, filter] of FILTERS(firstJob).entries()) {
        expect(pages[index], JSON.stringify(filter)).toEqual(log.filter((event) => fits(filter, event)));
      }
      await shared.dispose();
    }
  }, 300_000);
});
