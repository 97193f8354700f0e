import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/domain/events.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { canonicalJson } from '../../../src/lib/canonical-json.js';
import { createCursorCodec } from '../../../src/store/cursor.js';
import { chainHash } from '../../../src/store/event-row.js';
import { COPY_POINTS } from '../../../src/store/fault-points.js';
import { realPacing } from '../../../src/store/pacing.js';
import { type AuditWorld, openAuditWorld, type Row } from '../../support/audit-world.js';

const WAIT = { timeout: 60_000, interval: 25 } as const;
/** Of a copier that is broken off again and again: each time it waits twice as long. */
const hurried = { ...realPacing, sleep: (ms: number, signal?: AbortSignal) => realPacing.sleep(ms / 20, signal) };

describe.each(['sqlite', 'postgres'] as const)('the log of runs in %s, copied to another database', (runtime) => {
  let world: AuditWorld;
  beforeEach(async () => {
    world = await openAuditWorld(runtime);
  });
  afterEach(() => world.dispose());

  /** The rows are there before the process that copies has the answer to its commit. */
  const isCopied = async (stores: Stores, count: number): Promise<void> => {
    await expect.poll(() => world.copied().then((rows) => rows.length), WAIT).toBe(count);
    await expect.poll(() => stores.audit?.lag(), WAIT).toEqual({ events: 0, seconds: 0, error: null });
  };
  const isWhole = async () => expect(await world.copied()).toEqual(await world.source());

  it('is there row by row, with position, ids and chain, as soon as somebody has written', async () => {
    const stores = await world.open();

    for (let n = 0; n < 20; n += 1) await world.say(stores);

    await isCopied(stores, 40);
    await isWhole();
    chainHolds(await world.copied());
    expect(world.lines).toEqual([]);
  });

  it('names the log and signs its cursors as the store of the runs does', async () => {
    const stores = await world.open();
    await world.say(stores);
    await expect.poll(() => world.copied().then((rows) => rows.length), WAIT).toBe(2);

    const meta = await world.audit.query<{ key: string; value: string }>('SELECT key, value FROM kit.store_meta');
    const of = (key: string): string => meta.find((row) => row.key === key)?.value ?? '';
    const cursors = createCursorCodec(of('log_id'), Buffer.from(of('cursor_key'), 'hex'));

    expect(of('audit_of')).toBe(of('log_id'));
    for (const event of (await stores.events.read({ limit: 10 })).events)
      expect(cursors.decode(event.cursor)).toMatchObject({ pos: event.pos, mark: event.hash.slice(0, 12) });
  });

  it('takes over what was written while nobody copied', async () => {
    world.line.set('cut');
    const first = await world.open();
    await Promise.all(Array.from({ length: 300 }, () => world.say(first)));
    await first.close();
    world.line.set('whole');

    const next = await world.open();
    next.audit?.start();

    await expect.poll(() => world.copied().then((rows) => rows.length), WAIT).toBe(600);
    await isWhole();
  });

  it('is late while its database is gone: runs go on, one line says it, and nothing is lost or twice', async () => {
    const stores = await world.open();
    await world.say(stores);
    await isCopied(stores, 2);
    world.line.set('cut');

    for (let n = 0; n < 10; n += 1) await world.say(stores);
    await expect.poll(() => world.lines.length, WAIT).toBe(1);
    await expect.poll(() => stores.audit?.lag(), WAIT).toMatchObject({ events: 20, error: expect.stringMatching(/./) });
    world.line.set('whole');

    await isCopied(stores, 22);
    await isWhole();
    expect(world.lines).toMatchObject([expect.stringContaining('cannot be copied'), expect.stringContaining('again')]);
  });

  it('is whole after many cuts under several processes that all write and copy', async () => {
    const all = await Promise.all([world.open(), world.open(), world.open()]);
    let isDone = false;
    const cuts = (async () => {
      for (let n = 0; !isDone; n += 1) {
        world.line.set(n % 2 === 0 ? 'cut' : 'whole');
        await new Promise((resolve) => setTimeout(resolve, 120));
      }
      world.line.set('whole');
    })();

    await Promise.all(
      all.map(async (stores) => {
        for (let n = 0; n < 60; n += 1) await world.say(stores);
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    isDone = true;
    await cuts;

    await expect.poll(() => world.copied().then((rows) => rows.length), WAIT).toBe(360);
    await isWhole();
    chainHolds(await world.copied());
  });

  it.each(COPY_POINTS)('is whole after a process that broke off at %s, at each page', async (point) => {
    const writer = await world.open({ url: 'postgres://127.0.0.1:1/nothing' });
    await Promise.all(Array.from({ length: 300 }, () => world.say(writer)));
    let hits = 0;
    const faults = {
      hit: (name: string) => {
        if (name !== point) return;
        hits += 1;
        if (hits % 2 === 1) throw new Error('broken off');
      },
    };

    const next = await world.open({ faults, pacing: hurried });
    next.audit?.start();

    await expect.poll(() => world.copied().then((rows) => rows.length), WAIT).toBe(600);
    await expect.poll(() => hits, WAIT).toBeGreaterThanOrEqual(3);
    await isWhole();
  });

  it('ends a process that cannot reach its database, and says what is still to be copied', async () => {
    const stores = await world.open();
    await world.say(stores);
    await isCopied(stores, 2);
    world.line.set('silent');
    await world.say(stores);

    await stores.close();

    expect(world.lines.at(-1)).toContain('2 events are still to be copied to storage.audit');
  });

  it('refuses a database that holds something else, and writes nothing there', async () => {
    const other = await openAuditWorld('postgres', 0xe0);
    try {
      const theirs = await other.open();
      await other.say(theirs);
      await expect.poll(() => other.copied().then((rows) => rows.length), WAIT).toBe(2);
      const ours = await world.open({ url: other.audit.url });
      await world.say(ours);

      await expect(ours.audit?.check()).rejects.toMatchObject({
        code: 'KIT_STORE_UNAVAILABLE',
        message: 'the database that storage.audit.url names holds the log of other runs',
      });
      await expect.poll(() => world.lines.join('\n'), WAIT).toContain('holds the log of other runs');
      expect(await other.copied()).toHaveLength(2);
    } finally {
      await other.dispose();
    }
  });

  it('stops where the two histories differ instead of mixing them', async () => {
    const stores = await world.open();
    await world.say(stores);
    await expect.poll(() => world.copied().then((rows) => rows.length), WAIT).toBe(2);
    await world.audit.query(`SET session_replication_role = origin; ALTER TABLE kit.events DISABLE TRIGGER events_append_only;
      UPDATE kit.events SET hash = 'another history' WHERE pos = (SELECT max(pos) FROM kit.events)`);

    await world.say(stores);

    await expect.poll(() => world.lines.join('\n'), WAIT).toContain('restored to an earlier state');
    expect(await world.copied()).toHaveLength(2);
  });
});

/**
 * Each event names the digest of the one before it in its run, and its own digest is that of what
 * it says.
 */
function chainHolds(rows: readonly Row[]): void {
  const ends = new Map<string, { readonly seq: number; readonly hash: string }>();
  for (const row of rows) {
    const [jobId, hash] = [String(row.jobId), String(row.hash)];
    const last = ends.get(jobId) ?? { seq: 0, hash: '' };
    const event = row as unknown as RunEvent;
    expect(row).toMatchObject({ seq: last.seq + 1, prevHash: last.hash });
    expect(
      chainHash(event, { jobId, seq: last.seq + 1, prevHash: last.hash, payloadText: canonicalJson(event.payload) }),
    ).toBe(hash);
    ends.set(jobId, { seq: last.seq + 1, hash });
  }
}
