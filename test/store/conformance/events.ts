import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import type { EventQuery } from '../../../src/domain/ports/event-log.js';
import { canonicalJson } from '../../../src/lib/canonical-json.js';
import { chainHash } from '../../../src/store/event-row.js';
import { committed } from '../../support/committed.js';
import {
  claimOf,
  endWrite,
  eventOf,
  fenceOf,
  messageEvent,
  newJob,
  noteWrite,
  startedEvent,
  startWrite,
  stepOf,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

/** A wait that ends by its time alone outlives the test. */
const NEVER_MS = 3_600_000;

export function eventLaws(world: World): void {
  const running = (labels: Record<string, string> = {}): Promise<Job> =>
    world().stores.jobs.insert(
      newJob(world().ids.jobId(), { labels }),
      'pending',
      [startedEvent(world().ids.uuid())],
      claimOf(),
    );

  const say = async (job: Job, count: number): Promise<void> => {
    const { stores, ids } = world();
    const rows = await stores.runs.load(job.id);
    if (rows.length === 0) await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'root'))]);
    for (let n = 0; n < count; n++)
      await stores.runs.commit(fenceOf(job), [noteWrite('root', {}, [messageEvent(ids.uuid(), `m${n}`, 'root')])]);
  };

  const readAll = async (query: Omit<EventQuery, 'limit' | 'after'>, limit: number) => {
    const found = [];
    let after = '';
    for (;;) {
      const page = await world().stores.events.read({ ...query, limit, after });
      found.push(...page.events);
      after = page.nextCursor;
      if (!page.hasMore) return found;
      expect(page.events).toHaveLength(limit);
    }
  };

  it('numbers the events of a run densely from one, and all of them in commit order', async () => {
    const [a, b] = [await running(), await running()];
    await say(a, 2);
    await say(b, 2);
    await say(a, 1);

    const all = await readAll({}, 100);
    const seqOf = (job: Job) => all.filter((event) => event.jobId === job.id).map((event) => event.seq);

    expect(seqOf(a)).toEqual([1, 2, 3, 4]);
    expect(seqOf(b)).toEqual([1, 2, 3]);
    expect(all.map((event) => event.pos)).toEqual(all.map((event) => event.pos).toSorted((x, y) => x - y));
  });

  it('chains the events of a run by digest, so that an altered one shows', async () => {
    const job = await running();
    await say(job, 3);

    const events = await world().stores.events.readRun(job.id, 0, 10);

    let prevHash = '';
    for (const event of events) {
      expect(event.prevHash).toBe(prevHash);
      const link = { jobId: event.jobId, seq: event.seq, prevHash, payloadText: canonicalJson(event.payload) };
      expect(event.hash).toBe(chainHash(event, link));
      expect(chainHash({ ...event, agentId: 'somebody else' }, link)).not.toBe(event.hash);
      expect(chainHash(event, { ...link, payloadText: '{}' })).not.toBe(event.hash);
      prevHash = event.hash;
    }
    expect(new Set(events.map((event) => event.hash)).size).toBe(4);
  });

  it('returns from a commit exactly what the log later shows', async () => {
    const { stores } = world();
    const job = await running({ team: 'core' });
    const payload = {
      tool: 'grep',
      status: 'ok',
      reason: null,
      inputs: { z: 1, a: ['ü', null] },
      policy_decision: 'allow',
      policy_reason: null,
      effects: 'read',
      duration_ms: 3,
    } as const;

    const stored = await committed(stores, fenceOf(job), [
      startWrite(stepOf(job.id, 'root'), [eventOf('e-1', 'skill.executed', payload, 'root')]),
    ]);

    expect(JSON.stringify(await stores.events.readRun(job.id, 1, 10))).toBe(JSON.stringify(stored));
    expect(stored[0]).toMatchObject({ labels: { team: 'core' }, payload: { inputs: { a: ['ü', null], z: 1 } } });
  });

  it('pages through the whole log without skipping or repeating, at every page size', async () => {
    const [a, b] = [await running(), await running()];
    await say(a, 3);
    await say(b, 3);
    const whole = await readAll({}, 1000);

    for (const limit of [1, 2, 3, 7, 8, 9]) expect(await readAll({}, limit)).toEqual(whole);
    expect(whole).toHaveLength(8);
  });

  it('says exactly whether there is more', async () => {
    const { stores } = world();
    await say(await running(), 2);

    expect((await stores.events.read({ limit: 2 })).hasMore).toBe(true);
    expect((await stores.events.read({ limit: 3 })).hasMore).toBe(false);
    expect((await stores.events.read({ limit: 4 })).hasMore).toBe(false);
  });

  it('filters by run and by type, with one cursor for all filters', async () => {
    const { stores, ids } = world();
    const [a, b] = [await running(), await running()];
    await say(a, 3);
    await say(b, 2);
    await stores.events.append(eventOf(ids.uuid(), 'input.rejected', { errors: [] }), {});
    const whole = await readAll({}, 100);
    const of = (keep: (event: (typeof whole)[number]) => boolean) => whole.filter(keep).map((event) => event.eventId);
    const read = async (query: Omit<EventQuery, 'limit' | 'after'>) =>
      (await readAll(query, 2)).map((event) => event.eventId);

    expect(await read({ jobId: a.id })).toEqual(of((event) => event.jobId === a.id));
    expect(await read({ jobId: '' })).toEqual(of((event) => event.jobId === ''));
    expect(await read({ types: ['run.started'] })).toEqual(of((event) => event.type === 'run.started'));
    expect(await read({ types: ['run.started', 'executor.message', 'run.started'] })).toEqual(
      of((event) => event.type !== 'input.rejected'),
    );
    expect(await read({ types: ['executor.message', 'run.started'] })).toEqual(
      of((event) => event.type !== 'input.rejected'),
    );
    expect(await read({ types: [] })).toEqual(of(() => true));
    expect(await read({ types: ['executor.message'], jobId: b.id })).toEqual(
      of((event) => event.jobId === b.id && event.type === 'executor.message'),
    );
    expect(await read({ types: ['skill.gap'] })).toEqual([]);

    for (const [index, event] of whole.entries()) {
      const rest = whole.slice(index + 1);
      const after = async (query: Omit<EventQuery, 'limit' | 'after'>) =>
        (await stores.events.read({ ...query, after: event.cursor, limit: 100 })).events;
      expect(await after({})).toEqual(rest);
      expect(await after({ jobId: a.id })).toEqual(rest.filter((other) => other.jobId === a.id));
      expect(await after({ jobId: a.id, types: ['run.started'] })).toEqual(
        rest.filter((other) => other.jobId === a.id && other.type === 'run.started'),
      );
      expect(await after({ types: ['executor.message'] })).toEqual(
        rest.filter((other) => other.type === 'executor.message'),
      );
    }
  });

  it('echoes the given cursor on an empty page, and goes on from it later', async () => {
    const { stores } = world();
    expect(await stores.events.read({ limit: 5 })).toEqual({ events: [], nextCursor: '', hasMore: false });
    const job = await running();
    const { nextCursor } = await stores.events.read({ limit: 5 });

    expect(await stores.events.read({ after: nextCursor, limit: 5 })).toEqual({
      events: [],
      nextCursor,
      hasMore: false,
    });
    await say(job, 1);
    expect((await stores.events.read({ after: nextCursor, limit: 5 })).events.map((event) => event.type)).toEqual([
      'executor.message',
    ]);
  });

  it('keeps its cursors across a restart', async () => {
    const job = await running();
    await say(job, 1);
    const { nextCursor } = await world().stores.events.read({ limit: 1 });

    await world().reopen();

    expect((await world().stores.events.read({ after: nextCursor, limit: 5 })).events).toHaveLength(1);
  });

  it('refuses a cursor that it did not issue', async () => {
    const { stores } = world();
    await running();
    const { nextCursor } = await stores.events.read({ limit: 1 });
    const flipped = `${nextCursor.slice(0, 12)}${nextCursor[12] === 'A' ? 'B' : 'A'}${nextCursor.slice(13)}`;

    for (const after of [
      '0',
      '1',
      'next',
      'AAAA',
      `${nextCursor}=`,
      ` ${nextCursor}`,
      nextCursor.slice(0, -1),
      `${nextCursor}A`,
      flipped,
      Buffer.from('2026-01-01\u001fid').toString('base64url'),
    ]) {
      await expect(stores.events.read({ after, limit: 5 }), after).rejects.toMatchObject({
        code: 'KIT_CURSOR_INVALID',
      });
    }
  });

  it.each([0, -1, 1001, 1.5, Number.NaN])('refuses a page of %d events', async (limit) => {
    await expect(world().stores.events.read({ limit })).rejects.toMatchObject({ code: 'KIT_USAGE' });
    await expect(world().stores.events.readRun('x', 0, limit)).rejects.toMatchObject({ code: 'KIT_USAGE' });
  });

  it('reads one run from a sequence number', async () => {
    const job = await running();
    await say(job, 4);

    const events = await world().stores.events.readRun(job.id, 2, 2);

    expect(events.map((event) => event.seq)).toEqual([3, 4]);
  });

  it('takes an event that belongs to no job', async () => {
    const { stores, ids } = world();
    const event = eventOf(ids.uuid(), 'input.rejected', { errors: [{ pointer: '/a', message: 'must be a number' }] });

    const stored = await stores.events.append(event, { team: 'core' });

    expect(stored).toMatchObject({ ...event, jobId: '', seq: 1, labels: { team: 'core' } });
    expect(await stores.events.append(event, { team: 'core' })).toEqual(stored);
    expect((await stores.events.append({ ...event, eventId: ids.uuid() }, {})).seq).toBe(2);
  });

  it('wakes a follower by a commit that came between its read and its wait', async () => {
    const { stores } = world();
    const { signal } = new AbortController();
    const job = await running();
    await stores.events.waitForChange(5000, signal);
    await stores.events.read({ limit: 10 });
    await say(job, 1);

    await stores.events.waitForChange(NEVER_MS, signal);
  });

  it('wakes every waiting follower, and lets one go at its time limit or its abort', async () => {
    const { stores, ids } = world();
    const followers = [new AbortController(), new AbortController(), new AbortController()];
    await Promise.all(followers.map(({ signal }) => stores.events.waitForChange(5000, signal)));
    const waits = followers.map(({ signal }) => stores.events.waitForChange(NEVER_MS, signal));
    const job = await running();
    await stores.runs.commit(fenceOf(job), [
      startWrite(stepOf(job.id, 'r')),
      endWrite('r', { status: 'ok', value: 1 }, [messageEvent(ids.uuid(), 'x')]),
    ]);
    await Promise.all(waits);
    for (const { signal } of followers) await stores.events.waitForChange(0, signal);

    await stores.events.waitForChange(30, followers[0]!.signal);
    const aborted = stores.events.waitForChange(NEVER_MS, followers[1]!.signal);
    followers[1]!.abort();
    await aborted;
  });
}
