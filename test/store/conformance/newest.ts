import { expect, it } from 'vitest';
import type { EventType, RunEvent, StoredEvent } from '../../../src/domain/events.js';
import type { AuditQuery } from '../../../src/domain/ports/event-log.js';
import { eventOf, messageEvent, newJob, startedEvent } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const RUNS = 12;

export function newestLaws(world: World): void {
  /**
   * Runs of two topologies and three agents with events of several types, at times that do not rise
   * with the log.
   */
  const fill = async (): Promise<readonly StoredEvent[]> => {
    const { stores, ids } = world();
    for (let n = 0; n < RUNS; n++) {
      const own = (event: RunEvent, at: number): RunEvent => ({
        ...event,
        topologyId: n % 2 === 0 ? 'review' : 'other',
        agentId: [null, 'lead', 'worker'][(n + at) % 3] ?? null,
        timestamp: `2026-01-${String(1 + ((n * 7 + at) % 20)).padStart(2, '0')}T00:00:00.000Z`,
      });
      const events = [startedEvent(ids.uuid()), messageEvent(ids.uuid(), 'one'), messageEvent(ids.uuid(), 'two')];
      if (n % 5 === 0) events.push(eventOf(ids.uuid(), 'run.parked', { waiting_on: [], error: '' }));
      await stores.jobs.insert(newJob(ids.jobId()), 'pending', events.map(own));
      if (n % 4 === 0) await stores.events.append(own(eventOf(ids.uuid(), 'input.rejected', { errors: [] }), 0), {});
    }
    return (await stores.events.read({ limit: 1000 })).events.map(({ cursor: _, ...event }) => event);
  };

  const fits = (query: Omit<AuditQuery, 'limit'>, event: StoredEvent): boolean =>
    (query.jobId ?? event.jobId) === event.jobId &&
    (query.agentId ?? event.agentId) === event.agentId &&
    (query.topologyId ?? event.topologyId) === event.topologyId &&
    (query.types === undefined || query.types.length === 0 || query.types.includes(event.type)) &&
    (query.since ?? '') <= event.timestamp;

  it('reads the log from its end, by every filter and every combination of them', async () => {
    const log = await fill();
    const jobs = [undefined, log[0]?.jobId, '', 'ffffffffffff'];
    const types: (readonly EventType[] | undefined)[] = [
      undefined,
      [],
      ['run.parked'],
      ['run.started', 'input.rejected', 'run.started'],
      ['rework'],
    ];
    let checked = 0;
    for (const jobId of jobs)
      for (const type of types)
        for (const agentId of [undefined, 'worker', 'nobody'])
          for (const topologyId of [undefined, 'other'])
            for (const since of [undefined, '2026-01-10T00:00:00.000Z']) {
              const given = { jobId, types: type, agentId, topologyId, since };
              const query = Object.fromEntries(
                Object.entries(given).filter(([, value]) => value !== undefined),
              ) as Omit<AuditQuery, 'limit'>;
              const found = await world().stores.events.readNewest({ ...query, limit: 5 });
              const wanted = log.filter((event) => fits(query, event)).toReversed();
              expect(found, JSON.stringify(query)).toEqual(wanted.slice(0, 5));
              checked += wanted.length > 0 ? 1 : 0;
            }
    expect(checked).toBeGreaterThan(40);
  }, 30_000);

  it('includes the moment that it reads since', async () => {
    const log = await fill();
    const since = log[3]?.timestamp ?? '';

    const found = await world().stores.events.readNewest({ since, limit: 1000 });

    expect(found.some((event) => event.timestamp === since)).toBe(true);
    expect(found).toHaveLength(log.filter((event) => event.timestamp >= since).length);
    for (const same of [since.replace('.000Z', 'Z'), since.replace('T00:00:00.000Z', 'T02:00:00+02:00')]) {
      expect(await world().stores.events.readNewest({ since: same, limit: 1000 }), same).toEqual(found);
    }
  });

  it('reads nothing from an empty log, and refuses a page that no store gives', async () => {
    const { events } = world().stores;
    expect(await events.readNewest({ limit: 10, agentId: 'lead' })).toEqual([]);
    for (const limit of [0, -1, 1001, 1.5, Number.NaN])
      await expect(events.readNewest({ limit })).rejects.toMatchObject({ code: 'KIT_USAGE' });
  });

  it('names the end of the log: what comes after it is new, and all of it', async () => {
    const { stores, ids } = world();
    expect(await stores.events.headCursor()).toBe('');
    await fill();
    const head = await stores.events.headCursor();
    expect(await stores.events.read({ after: head, limit: 10 })).toEqual({
      events: [],
      nextCursor: head,
      hasMore: false,
    });

    const id = ids.jobId();
    await stores.jobs.insert(newJob(id), 'pending', [startedEvent(ids.uuid()), messageEvent(ids.uuid(), 'new')]);

    const { events } = await stores.events.read({ after: head, limit: 10 });
    expect(events.map((event) => [event.jobId, event.seq])).toEqual([
      [id, 1],
      [id, 2],
    ]);
    expect(await stores.events.headCursor()).toBe(events.at(-1)?.cursor);
    expect((await stores.events.read({ after: head, types: ['run.started'], limit: 10 })).events).toHaveLength(1);
  });

  it('names the end of a log that holds events of no run alone', async () => {
    const { events } = world().stores;
    await events.append(eventOf(world().ids.uuid(), 'input.rejected', { errors: [] }), {});
    expect(await events.headCursor()).toBe((await events.read({ limit: 1 })).nextCursor);
  });
}
