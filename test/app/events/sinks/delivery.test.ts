import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import type { LogEntry } from '../../../../src/domain/log-entry.js';
import type { EventSink } from '../../../../src/domain/ports/sinks.js';
import { toLogEntry } from '../../../../src/view/schemas/event.js';
import { hang, inTurn, openReceiver, type Received, status } from '../../../support/http/receiver.js';
import { over } from '../../../support/over.js';
import { openSinkWorld, post, say, startSinkServer } from '../../../support/sink-world.js';
import { eventOf } from '../../../support/store-samples.js';

const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 10 });
const textsOf = (received: readonly Received[]) => received.map(({ body }) => (body as LogEntry).payload.text);

describe('the background delivery of events', () => {
  it('pushes what is committed after it has started, in order, as GET /events shows it', async () => {
    const world = await openSinkWorld();
    const { url, received } = await openReceiver();
    await say(world, 'before');
    const { delivery } = await startSinkServer(world, [post(url)]);
    await say(world, 'one', 'two', 'three');
    await until(() => expect(received).toHaveLength(3));
    const { events } = await world.stores.events.read({ limit: 10 });
    expect(received.map(({ body }) => body)).toEqual(events.slice(1).map(toLogEntry));
    await until(() =>
      expect(delivery.counters()).toEqual([{ sink: 'webhook#0', delivered: 3, rejected: 0, failed: 0, skips: 0 }]),
    );
  });

  it('pushes the types that a sink asks for and no others', async () => {
    const world = await openSinkWorld();
    const { url, received } = await openReceiver();
    await startSinkServer(world, [post(url, ['input.rejected'])]);
    await say(world, 'one');
    await world.stores.events.append(eventOf(world.ids.uuid(), 'input.rejected', { errors: [] }), {});
    await say(world, 'two');
    await until(() => expect(received).toHaveLength(1));
    expect(received[0]?.body).toMatchObject({ event_type: 'input.rejected' });
  });

  it('lets a sink that hangs delay no other', async () => {
    const world = await openSinkWorld();
    const [dead, alive] = [await openReceiver(hang), await openReceiver()];
    await startSinkServer(world, [post(dead.url), post(alive.url)]);
    await say(world, 'one', 'two', 'three');
    await until(() => expect([dead.received.length, alive.received.length]).toEqual([1, 3]));
  });

  it('drops an event that failed three times, says so, and goes on with the next', async () => {
    const world = await openSinkWorld();
    const { url, received } = await openReceiver(inTurn(status(500), status(503), status(500), status(204)));
    const { clock, delivery, lines } = await startSinkServer(world, [post(url)]);
    await say(world, 'one', 'two');
    for (const attempts of [1, 2]) {
      await until(() => expect(received).toHaveLength(attempts));
      // The pause begins once the answer is there; the lead has a timer of its own.
      await until(() => expect(clock.sleeping).toBe(2));
      await clock.advance(2000);
    }
    await until(() => expect(textsOf(received)).toEqual(['one', 'one', 'one', 'two']));
    await until(() => expect(delivery.counters()).toMatchObject([{ delivered: 1, failed: 1 }]));
    expect(lines).toMatchObject([
      { message: 'event sink webhook#0 dropped an event: the receiver answered 500', data: { attempts: 3 } },
    ]);
    // Nothing in the log is lost.
    expect((await world.stores.events.read({ limit: 10 })).events).toHaveLength(2);
  });

  it('does not try again what the receiver rejects', async () => {
    const world = await openSinkWorld();
    const { url, received } = await openReceiver(inTurn(status(422), status(204)));
    const { delivery } = await startSinkServer(world, [post(url)]);
    await say(world, 'one', 'two');
    await until(() => expect(delivery.counters()).toMatchObject([{ delivered: 1, rejected: 1 }]));
    expect(textsOf(received)).toEqual(['one', 'two']);
  });

  it('lets a sink that is more than 1000 events behind go on with new ones, and says where the others are', async () => {
    const world = await openSinkWorld();
    const taken: unknown[] = [];
    const waiting = Promise.withResolvers<void>();
    const slow: EventSink = {
      deliver: async (entry) => {
        taken.push(entry.payload.text);
        if (taken.length === 1) await waiting.promise;
        return { kind: 'delivered' };
      },
    };
    const { delivery, lines } = await startSinkServer(world, [{ sink: 'slow', config: {}, types: [] }], {
      sinks: { slow },
    });
    await say(world, 'first');
    await until(() => expect(taken).toEqual(['first']));
    await Promise.all(Array.from({ length: 1001 }, (_, n) => say(world, `late ${n}`)));
    waiting.resolve();
    await until(() => expect(delivery.counters()).toMatchObject([{ skips: 1 }]));
    await say(world, 'new');
    await until(() => expect(taken).toEqual(['first', 'new']));
    const [line] = lines;
    expect(line?.message).toContain('more than 1000 events behind');
    const missed = await world.stores.events.read({ after: String(line?.data.after), limit: 1000 });
    expect(missed.events[0]?.payload).toMatchObject({ text: expect.stringMatching(/^late/) });
  });

  it('goes on with new events where the log was set back to a state before its place, and says so', async () => {
    const world = await openSinkWorld();
    const { url, received } = await openReceiver();
    const { delivery, lines } = await startSinkServer(world, [post(url)]);
    await say(world, 'kept', 'lost');
    await until(() => expect(delivery.counters()).toMatchObject([{ delivered: 2 }]));

    const database = new Database(world.path);
    database.exec("DROP TRIGGER events_no_delete; DELETE FROM event_rows WHERE payload LIKE '%lost%'");
    database.close();
    await until(() => expect(delivery.counters()).toMatchObject([{ skips: 1 }]));
    await say(world, 'new');

    await until(() => expect(textsOf(received)).toEqual(['kept', 'lost', 'new']));
    expect(lines).toMatchObject([{ message: expect.stringContaining('as by a restore') }]);
  });

  it('pushes each event once, whichever of two servers delivers, and the other follows when one is gone', async () => {
    const world = await openSinkWorld();
    const { url, received } = await openReceiver();
    const one = await startSinkServer(world, [post(url)], { holder: 'server-1' });
    const two = await startSinkServer(world, [post(url)], { holder: 'server-2' });
    await say(world, 'one', 'two');
    await until(() => expect(received).toHaveLength(2));
    expect(two.delivery.counters()).toMatchObject([{ delivered: 0 }]);
    await one.delivery.stop();
    await say(world, 'while nobody delivers');
    await two.clock.advance(5000);
    await until(() => expect(two.clock.sleeping).toBe(1));
    await say(world, 'three');
    await until(() => expect(textsOf(received)).toEqual(['one', 'two', 'three']));
    await until(() => expect(two.delivery.counters()).toMatchObject([{ delivered: 1 }]));
  });

  it('follows a server that died without a word, once its lead has run out by the clock of the store', async () => {
    const world = await openSinkWorld();
    const { url, received } = await openReceiver();
    let isDead = false;
    const { lead } = world.stores.serving;
    const dying = over(world.stores.serving, {
      lead: (...args: Parameters<typeof lead>) =>
        isDead ? Promise.reject(new Error('no database')) : world.stores.serving.lead(...args),
      yieldLead: async () => {},
    });
    const one = await startSinkServer(world, [post(url)], {
      holder: 'server-1',
      stores: { events: world.stores.events, serving: dying },
    });
    const two = await startSinkServer(world, [post(url)], { holder: 'server-2' });
    await say(world, 'one');
    await until(() => expect(received).toHaveLength(1));
    isDead = true;
    await one.clock.advance(16_000);
    await two.clock.advance(5_000);
    await until(() => expect(two.clock.sleeping).toBe(1));
    await say(world, 'while the lead runs out');
    await world.elapse(16_000);
    await two.clock.advance(5_000);
    await until(() => expect(two.clock.sleeping).toBe(1));
    await say(world, 'two');
    await until(() => expect(textsOf(received)).toEqual(['one', 'two']));
    await until(() => expect(two.delivery.counters()).toMatchObject([{ delivered: 1 }]));
  });

  it('does not deliver once its lead may have run out', async () => {
    const world = await openSinkWorld();
    const { url, received } = await openReceiver();
    const events = world.stores.events;
    let isGone = false;
    const serving = over(world.stores.serving, {
      lead: async () => (isGone ? Promise.reject(new Error('no database')) : true),
      yieldLead: async () => {},
    });
    const { clock, lines } = await startSinkServer(world, [post(url)], { stores: { events, serving } });
    await say(world, 'one');
    await until(() => expect(received).toHaveLength(1));
    isGone = true;
    await clock.advance(16_000);
    await say(world, 'two');
    expect(lines.map(({ message }) => message)).toContain('the lead of the event sinks could not be renewed');
    isGone = false;
    await clock.advance(5_000);
    await until(() => expect(clock.sleeping).toBe(1));
    await say(world, 'three');
    await until(() => expect(textsOf(received)).toEqual(['one', 'three']));
  });

  it('ends what is under way when it is stopped', async () => {
    const world = await openSinkWorld();
    const { url, received } = await openReceiver(hang);
    const { delivery, clock } = await startSinkServer(world, [post(url)]);
    await say(world, 'one', 'two');
    await until(() => expect(received).toHaveLength(1));
    await delivery.stop();
    await delivery.stop();
    expect(received).toHaveLength(1);
    expect(clock.sleeping).toBe(0);
  });

  it('takes new sinks at a reload, leaves old ones, and disturbs none that stays', async () => {
    const world = await openSinkWorld();
    const [stays, goes, comes] = [await openReceiver(), await openReceiver(), await openReceiver()];
    const server = await startSinkServer(world, [post(stays.url), post(goes.url)]);
    await say(world, 'one');
    await until(() => expect([stays.received.length, goes.received.length]).toEqual([1, 1]));
    server.settings = [post(stays.url), post(comes.url)];
    await server.delivery.reload();
    await say(world, 'two');
    await until(() => expect([textsOf(stays.received), textsOf(comes.received)]).toEqual([['one', 'two'], ['two']]));
    expect(textsOf(goes.received)).toEqual(['one']);
  });

  it('goes on after an error of the store', async () => {
    const world = await openSinkWorld();
    const { url, received } = await openReceiver();
    let failures = 1;
    const { events, serving } = world.stores;
    const flaky: typeof events = {
      append: (...args) => events.append(...args),
      lookBack: (search) => events.lookBack(search),
      readNewest: (query) => events.readNewest(query),
      readRun: (...args) => events.readRun(...args),
      headCursor: () => events.headCursor(),
      waitForChange: (...args) => events.waitForChange(...args),
      read: async (query) => {
        if (failures-- > 0) throw new Error('the store is busy');
        return events.read(query);
      },
    };
    const { clock, lines } = await startSinkServer(world, [post(url)], { stores: { events: flaky, serving } });
    await until(() => expect(lines).toHaveLength(1));
    await say(world, 'one');
    await clock.advance(1000);
    await until(() => expect(received).toHaveLength(1));
  });
});
